//! dmplz-provider-sdk
