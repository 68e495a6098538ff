//! The desk's own files, on a disk that may be full.

use std::rc::Rc;

use dmplz_core::messenger::{Chosen, Event, Watch};
use dmplz_desk::{Files, LateCard, Ledger, Progress, Saved};

use crate::world::{World, complain};

/// Files on the world's disk.
pub struct Disk {
    files: Files,
    world: Rc<World>,
}

impl Disk {
    /// Returns these files on the disk of a world.
    pub fn new(files: Files, world: &Rc<World>) -> Self {
        Self { files, world: Rc::clone(world) }
    }
}

impl Ledger for Disk {
    type Claim = <Files as Ledger>::Claim;

    fn cursor(&self) -> String {
        self.files.cursor()
    }

    fn keep_cursor(&mut self, cursor: &str) {
        match self.world.is_disk_full() {
            true => complain("keep the cursor: no space left on device"),
            false => self.files.keep_cursor(cursor),
        }
    }

    fn save(&mut self, progress: &Progress) -> Saved {
        if self.world.is_disk_full() {
            complain("keep a card: no space left on device");
            return Saved::ALREADY;
        }
        self.files.save(progress)
    }

    fn recent(&self) -> Vec<Watch> {
        self.files.recent()
    }

    fn orphans(&mut self) -> Vec<(Progress, Self::Claim)> {
        self.files.orphans()
    }

    fn now_ms(&self) -> u64 {
        self.files.now_ms()
    }

    fn time_of_day(&self) -> String {
        self.files.time_of_day()
    }

    fn retired(&mut self, progress: Progress, claim: Self::Claim) {
        self.files.retired(progress, claim);
    }

    fn late(&mut self, event: &Event) -> Option<LateCard> {
        self.files.late(event)
    }

    fn revocable(&self, press: &Chosen) -> Option<Progress> {
        self.files.revocable(press)
    }

    fn granted(&self, request_id: &str) -> Option<Progress> {
        self.files.granted(request_id)
    }
}
