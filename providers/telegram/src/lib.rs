//! dmplz-telegram
