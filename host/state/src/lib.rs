//! dmplz-state
