//! dmplz-desk
