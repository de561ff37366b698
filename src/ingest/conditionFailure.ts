export type FailureCode =
  | 'NO_ENCODER'
  | 'NO_FFMPEG'
  | 'NOT_FETCHED'
  | 'TOO_LARGE'
  | 'EMPTY_FILE'
  | 'WEB_PAGE'
  | 'UNREADABLE'
  | 'MANIFEST'
  | 'CUT_OFF'
  | 'NO_VIDEO'
  | 'TOO_LONG'
  | 'TOO_SHORT'
  | 'NO_ROOM'
  | 'BROKEN_OFF';

/** Why media could not be made, in one plain sentence about the creative. */
export type Failure = {
  readonly failed: string;
  /** Absent where nothing tells this fault from others. */
  readonly code?: FailureCode;
  /** Trying again soon would end the same way: the fault is in the creative or the ladder, not in the moment. */
  readonly isLasting: boolean;
  /** It broke off on the way, which it may not once its parts are alike. */
  readonly isUnsteady?: true;
};

export const isFailure = (value: object): value is Failure => 'failed' in value;
