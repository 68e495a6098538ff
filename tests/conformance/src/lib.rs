//! dmplz-conformance
