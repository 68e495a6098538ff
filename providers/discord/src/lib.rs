//! dmplz-discord
