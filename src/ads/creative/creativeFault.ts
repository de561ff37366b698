// Why a creative cannot be shown, as a value: it travels from where it happened, is stored with the creative, and decides
// which code of VAST its Error URLs get (VAST 4.2 §2.3.6.3).

/** Codes of VAST: 202 wrong duration, 400 general, 401 not found, 402 timed out, 405 cannot be displayed. */
const vastCodes = {
  // fetching it
  /** The server answered 404 or 410. */
  NOT_FOUND: 401,
  /** No connection, or an answer that was none. */
  NOT_FETCHED: 401,
  TIMED_OUT: 402,
  TOO_LARGE: 405,
  // what it holds
  EMPTY_FILE: 405,
  WEB_PAGE: 405,
  /** No container or codec that the decoder reads. */
  UNREADABLE: 405,
  /** An HLS or DASH manifest that cannot be used. */
  MANIFEST: 405,
  ENCRYPTED: 405,
  /** More discontinuities than an advertisement has. */
  TOO_MANY_PARTS: 405,
  CUT_OFF: 405,
  NO_VIDEO: 405,
  TOO_LONG: 202,
  TOO_SHORT: 202,
  /** The decoder or the encoder failed on it. */
  NOT_ENCODED: 405,
  // this installation
  /** It was not done within the time that a creative gets. */
  TOO_SLOW: 400,
  NO_ENCODER: 400,
  NO_FFMPEG: 400,
  NO_ROOM: 400,
  /** Whatever made it was killed, once or each time. */
  BROKEN_OFF: 400,
  /** It could not be made, stored or queued, through no fault of the creative. */
  NOT_MADE: 400,
} as const;

export type CreativeFault = keyof typeof vastCodes;

export const creativeFaults = Object.keys(vastCodes) as CreativeFault[];

export const vastErrorOfFault = (fault: CreativeFault): number => vastCodes[fault];
