//! dmplz-plugin
