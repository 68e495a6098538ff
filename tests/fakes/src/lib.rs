//! dmplz-fakes
