//! Bodies of answers that remember the visitor until they are sent.

use std::pin::Pin;
use std::task::{Context, Poll};

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::web::Bytes;

use crate::http::limits::load::{WORKS_FOR, WorksFor};
use crate::http::limits::tally::TallyGuard;
use crate::http::limits::visitor::{Address, Visitor};

/// A body on its way to a visitor. What it computes meanwhile takes slots as the visitor's request did, and the request
/// counts for the visitor's address until the body is sent: nobody fills the memory with answers that are never read.
pub(crate) struct Sending {
    pub(crate) body: BoxBody,
    pub(crate) visitor: Visitor,
    /// `None` when the body is a live stream, which is counted by itself.
    pub(crate) _counted: Option<TallyGuard<Address>>,
}

impl MessageBody for Sending {
    type Error = <BoxBody as MessageBody>::Error;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        let works_for = WorksFor {
            visitor: self.visitor,
            begun: true,
        };
        WORKS_FOR.sync_scope(works_for, || Pin::new(&mut self.body).poll_next(context))
    }
}
