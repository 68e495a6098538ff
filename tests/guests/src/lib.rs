//! dmplz-guests
