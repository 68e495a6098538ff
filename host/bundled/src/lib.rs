//! dmplz-bundled
