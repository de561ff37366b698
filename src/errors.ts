// SPDX-License-Identifier: Apache-2.0
// Errors that a caller caused or has to handle, each with the HTTP status of its response. Anything else that is thrown is
// a bug.

export type FieldError = {
  readonly keyword: string;
  readonly dataPath: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message: string;
};

/** @param dataPath JSON Pointer (RFC 6901); empty for the whole value @param message continues the name of the field */
export const fieldError = (
  keyword: string,
  dataPath: string,
  message: string,
  params: FieldError['params'] = {},
): FieldError => ({ keyword, dataPath, params, message });

/** The JSON Pointer (RFC 6901) of a field of the value at `path`. */
export const pathTo = (path: string, field: string | number): string =>
  `${path}/${String(field).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** Errors of the ports, with their HTTP status and the name in their bodies. docs/api.md documents them in this order. */
const kinds = {
  MALFORMED: { status: 400, name: 'BadRequestError' },
  KEY_MISSING: { status: 401, name: 'UnauthorizedError' },
  FORBIDDEN: { status: 403, name: 'ForbiddenError' },
  NOT_FOUND: { status: 404, name: 'NotFoundError' },
  METHOD_NOT_ALLOWED: { status: 405, name: 'MethodNotAllowedError' },
  REQUEST_TIMEOUT: { status: 408, name: 'RequestTimeoutError' },
  CONFLICT: { status: 409, name: 'ConflictError' },
  PRECONDITION_FAILED: { status: 412, name: 'PreconditionFailedError' },
  TOO_LARGE: { status: 413, name: 'PayloadTooLargeError' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, name: 'UnsupportedMediaTypeError' },
  VALIDATION_ERROR: { status: 422, name: 'ValidationError' },
  NOT_APPLIED: { status: 424, name: 'NotAppliedError' },
  TOO_MANY_REQUESTS: { status: 429, name: 'TooManyRequestsError' },
  HEADERS_TOO_LARGE: { status: 431, name: 'HeadersTooLargeError' },
  UNAVAILABLE: { status: 503, name: 'UnavailableError' },
} as const;

export type ErrorKind = keyof typeof kinds;

/** What is unavailable when a request gets a 503; a label of the metrics. */
export type UnavailablePart =
  | 'store'
  | 'media'
  | 'origin'
  | 'channel'
  | 'title'
  | 'feed'
  /** The process starts or ends, or a dependency does not work. */
  | 'process'
  | 'other';

type AppErrorOptions = {
  /** One entry for each invalid field. */
  readonly data?: readonly FieldError[];
  /** Seconds after which the same request may succeed, if known. */
  readonly retryAfter?: number;
  /** Only for UNAVAILABLE; default: as in the cause. */
  readonly part?: UnavailablePart;
  /** The error that led to this one. It is logged, and never part of a response. */
  readonly cause?: unknown;
};

export class AppError extends Error {
  readonly kind: ErrorKind;
  readonly status: number;
  readonly data: readonly FieldError[] | undefined;
  readonly retryAfter: number | undefined;
  readonly part: UnavailablePart;

  /** @param message what is wrong, then what to do; returned to the caller */
  constructor(kind: ErrorKind, message: string, { data, retryAfter, part, ...options }: AppErrorOptions = {}) {
    super(message, options);
    this.name = kinds[kind].name;
    this.kind = kind;
    this.status = kinds[kind].status;
    this.data = data;
    this.retryAfter = retryAfter;
    this.part = part ?? (options.cause instanceof AppError ? options.cause.part : 'other');
  }
}

/** `/contents/0/duration` → `contents.0.duration` */
const fieldPath = (dataPath: string): string =>
  dataPath
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');

/** The message names the first invalid field. @param summary such as `Invalid playlist` @param whole its name */
export function validationError(summary: string, faults: readonly FieldError[], whole = 'the body'): AppError {
  const { dataPath = '', message } = faults[0] ?? {};
  const rest = faults.length - 1;
  const more = rest > 0 ? ` ${rest} more ${rest === 1 ? 'error' : 'errors'} in data.` : '';
  const text = `${summary}: ${fieldPath(dataPath) || whole} ${message}.${more}`;
  return new AppError('VALIDATION_ERROR', text, { data: faults });
}

/** The `type` of an error is its kind. Existing clients expect `Forbidden` as the type of an invalid key. */
const typeOf = (kind: ErrorKind): string => (kind === 'FORBIDDEN' ? 'Forbidden' : kind);

const INTERNAL_ERROR = { type: 'INTERNAL_ERROR', code: 500, name: 'InternalError' } as const;

/** Everything that the `type` of an error response can be. */
export const errorTypes: readonly { readonly type: string; readonly code: number; readonly name: string }[] = [
  ...Object.entries(kinds).map(([kind, { status, name }]) => ({ type: typeOf(kind as ErrorKind), code: status, name })),
  INTERNAL_ERROR,
].sort((a, b) => a.code - b.code);

/** The body of a response after a bug. The log contains the details. */
export const internalErrorBody = (requestId: string) => ({
  ...INTERNAL_ERROR,
  message: `Internal error. Search the log for request ${requestId}.`,
  requestId,
});

/** The body of an error response. */
export const errorBody = (error: AppError) => ({
  type: typeOf(error.kind),
  code: error.status,
  message: error.message,
  name: error.name,
  ...(error.data ? { data: error.data } : {}),
});

/** The messages of an error and its causes on one line, for a terminal. */
export function describeError(error: unknown): string {
  const messages: string[] = [];
  for (let cause = error; cause !== undefined && messages.length < 10; ) {
    messages.push((cause instanceof Error ? cause.message : String(cause)).replace(/\.$/, ''));
    cause = cause instanceof Error ? cause.cause : undefined;
  }
  return messages.join(': ');
}
