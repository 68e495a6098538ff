//! dmplz-guest-build
