//! dmplz-e2e
