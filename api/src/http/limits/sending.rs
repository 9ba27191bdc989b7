//! Bodies of answers that count for their visitor until they are sent.

use std::pin::Pin;
use std::task::{Context, Poll};

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::web::Bytes;

use crate::http::limits::load::{WORKS_FOR, WorksFor};
use crate::http::limits::tally::TallyGuard;
use crate::http::limits::visitor::{Address, Visitor};

/// A body that is being sent to a visitor.
///
/// Its computations take slots on behalf of the visitor. The request counts for the visitor's address until the body is
/// sent, so answers that are never read cannot fill the memory.
pub(crate) struct Sending {
    pub(crate) body: BoxBody,
    pub(crate) visitor: Visitor,
    /// `None` for a live stream, which is counted separately.
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
