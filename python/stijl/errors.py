"""What goes wrong in stijl: one class for each kind, below `Error`."""


class Error(Exception):
    """The base of all errors of stijl's own."""


class OutOfMemoryError(Error, MemoryError):
    """The system has no memory left."""


class InvalidArgumentError(Error, ValueError):
    """An argument is not finite, or out of the range that its documentation tells."""


class InvalidStateError(Error, RuntimeError):
    """The call does not fit what came before it, or another thread is using the object."""


class MalformedError(Error, ValueError):
    """The bytes of a document, an image or a scene are not what their format demands."""


class UnsupportedError(Error, NotImplementedError):
    """Well-formed, but asks for what this build or version cannot do."""


class LimitError(Error):
    """A limit was reached, of a budget or of a document; the message names it."""


class RefusedError(Error, PermissionError):
    """A document refers to a file outside the allowed folder, or to something else that is not allowed."""


class InputOutputError(Error, OSError):
    """Reading or writing failed."""


class DeviceError(Error):
    """The GPU or its driver failed."""


class CancelledError(Error):
    """`Budget.cancel` ended the call."""


class DocumentWarning(UserWarning):
    """The picture may differ from what a document, a style sheet or a font asks for."""
