//! The address of the gateway, by which others reach it and the run controls it.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::io::{DuplexStream, duplex};
use tokio::sync::{mpsc, watch};

use super::World;
use crate::process::Handle;
use crate::script::{Asks, HookId};

/// The bytes of a connection that the system buffers before they are read.
const BUFFER: usize = 1 << 16;

/// The peer of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller {
    /// A hook, or a command of the same user.
    Local,
    /// The page.
    Page,
}

/// An order to the gateway's process.
#[derive(Debug, Clone, Copy)]
pub enum Order {
    /// A program asks.
    Confirm(HookId, Asks, Duration),
    /// A person lists the requests so far.
    Browse,
}

/// The address of the gateway, and its state that outlives a process.
#[derive(Default)]
pub struct Post {
    /// Present while a gateway listens.
    door: RefCell<Option<mpsc::UnboundedSender<(DuplexStream, Caller)>>>,
    /// Present while a gateway runs.
    orders: RefCell<Option<mpsc::UnboundedSender<Order>>>,
    /// The running gateway.
    running: RefCell<Option<Running>>,
    /// The number of gateways that have run.
    lives: Cell<u64>,
    /// Whether the running gateway holds the account.
    has_account: Cell<bool>,
}

struct Running {
    handle: Rc<Handle>,
    stop: watch::Sender<bool>,
    lives: Arc<AtomicBool>,
}

impl Post {
    /// Connects to the gateway; `None` if none listens.
    pub fn connect(&self, caller: Caller) -> Option<DuplexStream> {
        let door = self.door.borrow();
        let (ours, theirs) = duplex(BUFFER);
        door.as_ref()?.send((theirs, caller)).ok()?;
        Some(ours)
    }

    /// Lets callers and orders reach the gateway, which takes them from the returned queues.
    pub fn open(&self) -> (mpsc::UnboundedReceiver<Order>, mpsc::UnboundedReceiver<(DuplexStream, Caller)>) {
        let (orders, ordered) = mpsc::unbounded_channel();
        *self.orders.borrow_mut() = Some(orders);
        let (door, callers) = mpsc::unbounded_channel();
        *self.door.borrow_mut() = Some(door);
        (ordered, callers)
    }

    /// Lets no further caller reach the gateway.
    pub fn shut(&self) {
        *self.door.borrow_mut() = None;
    }

    /// Sends a command to the gateway's process; without one, nothing happens.
    pub fn order(&self, order: Order) {
        if let Some(orders) = &*self.orders.borrow() {
            let _ = orders.send(order);
        }
    }

    /// Records that a gateway starts: by `stop` it is stopped, and `lives` tells its disk whether it still runs.
    pub fn starts(&self, handle: Rc<Handle>, stop: watch::Sender<bool>, lives: Arc<AtomicBool>) {
        self.lives.set(self.life() + 1);
        self.has_account.set(false);
        *self.running.borrow_mut() = Some(Running { handle, stop, lives });
    }

    /// Records that a gateway ended, unless another one runs.
    pub fn ended(&self, handle: &Rc<Handle>) {
        let mut running = self.running.borrow_mut();
        if running.as_ref().is_some_and(|running| Rc::ptr_eq(&running.handle, handle)) {
            *running = None;
        }
    }

    /// Kills the gateway, if one runs. A write that it started is completed, unless the disk `loses` it.
    pub fn kill(&self, world: &World, loses: bool) {
        if let Some(running) = self.running.borrow_mut().take() {
            world.tell(|| "the gateway is killed");
            world.truth.borrow_mut().gateway_absent.push((world.now(), world.now() + 1));
            running.lives.store(false, Ordering::SeqCst);
            running.handle.kill();
            world.disk.killed(loses);
        }
    }

    /// Stops the gateway that runs.
    pub fn stop(&self, world: &World) {
        if let Some(running) = &*self.running.borrow() {
            world.tell(|| "the gateway is told to stop");
            world.disk.stops();
            running.stop.send_replace(true);
        }
    }

    /// Returns the number of the gateway that runs, or ran last.
    pub fn life(&self) -> u64 {
        self.lives.get()
    }

    /// Returns whether a gateway holds the messenger's account.
    pub fn has_account(&self) -> bool {
        self.is_running() && self.has_account.get()
    }

    /// Waits until a gateway holds the messenger's account.
    pub fn takes_account(&self) {
        self.has_account.set(true);
    }

    /// Returns whether the gateway runs.
    pub fn is_running(&self) -> bool {
        self.running.borrow().is_some()
    }
}
