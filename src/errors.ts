// The caller's faults, each with the status it is answered with. Anything else that is thrown is a bug.

export type FieldError = {
  readonly keyword: string;
  readonly dataPath: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message: string;
};

/** @param dataPath JSON Pointer of the offending field. @param message follows its name: what was wanted, what came */
export const fieldError = (
  keyword: string,
  dataPath: string,
  message: string,
  params: FieldError['params'] = {},
): FieldError => ({ keyword, dataPath, params, message });

const kinds = {
  MALFORMED: { status: 400, name: 'BadRequestError' },
  KEY_MISSING: { status: 401, name: 'UnauthorizedError' },
  FORBIDDEN: { status: 403, name: 'ForbiddenError' },
  NOT_FOUND: { status: 404, name: 'NotFoundError' },
  METHOD_NOT_ALLOWED: { status: 405, name: 'MethodNotAllowedError' },
  CONFLICT: { status: 409, name: 'ConflictError' },
  PRECONDITION_FAILED: { status: 412, name: 'PreconditionFailedError' },
  TOO_LARGE: { status: 413, name: 'PayloadTooLargeError' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, name: 'UnsupportedMediaTypeError' },
  VALIDATION_ERROR: { status: 422, name: 'ValidationError' },
  TOO_MANY_REQUESTS: { status: 429, name: 'TooManyRequestsError' },
  UNAVAILABLE: { status: 503, name: 'UnavailableError' },
} as const;

export type ErrorKind = keyof typeof kinds;

export class AppError extends Error {
  readonly kind: ErrorKind;
  readonly status: number;
  readonly data: readonly FieldError[] | undefined;
  /** Seconds after which the same request may succeed, where that is known. */
  readonly retryAfter: number | undefined;

  /** @param message states what is expected and what was received. @param more `cause`: the error that led to this one */
  constructor(
    kind: ErrorKind,
    message: string,
    data?: readonly FieldError[],
    { retryAfter, ...more }: { readonly retryAfter?: number; readonly cause?: unknown } = {},
  ) {
    super(message, more);
    this.name = kinds[kind].name;
    this.kind = kind;
    this.status = kinds[kind].status;
    this.data = data;
    this.retryAfter = retryAfter;
  }
}

/** The body of an error answer. A wrong key is `Forbidden`, as clients of this interface know it. */
export const errorBody = (error: AppError) => ({
  type: error.kind === 'FORBIDDEN' ? 'Forbidden' : error.kind,
  code: error.status,
  message: error.message,
  name: error.name,
  ...(error.data ? { data: error.data } : {}),
});
