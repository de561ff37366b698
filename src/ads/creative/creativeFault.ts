// SPDX-License-Identifier: Apache-2.0
// Why a creative cannot be shown. The fault is stored with the creative and determines the VAST error code for its Error
// URLs (VAST 4.2 §2.3.6.3).

/** VAST error codes: 202 wrong duration, 400 general, 401 not found, 402 timeout, 405 cannot be displayed. */
const vastCodes = {
  // fetching it
  /** The server returned 404 or 410. */
  NOT_FOUND: 401,
  /** No connection, or no valid response. */
  NOT_FETCHED: 401,
  TIMED_OUT: 402,
  TOO_LARGE: 405,
  // its content
  EMPTY_FILE: 405,
  WEB_PAGE: 405,
  /** The decoder does not support the container or codec. */
  UNREADABLE: 405,
  /** An HLS or DASH manifest that cannot be used. */
  MANIFEST: 405,
  ENCRYPTED: 405,
  /** More discontinuities than an ad can have. */
  TOO_MANY_PARTS: 405,
  CUT_OFF: 405,
  NO_VIDEO: 405,
  TOO_LONG: 202,
  TOO_SHORT: 202,
  /** The decoder or the encoder failed on it. */
  NOT_ENCODED: 405,
  // this installation
  /** Conditioning took longer than the time limit. */
  TOO_SLOW: 400,
  NO_ENCODER: 400,
  NO_FFMPEG: 400,
  NO_ROOM: 400,
  /** The process that conditioned it was killed. */
  BROKEN_OFF: 400,
  /** It could not be made, stored or queued, for reasons other than the creative itself. */
  NOT_MADE: 400,
} as const;

export type CreativeFault = keyof typeof vastCodes;

export const creativeFaults = Object.keys(vastCodes) as CreativeFault[];

export const vastErrorOfFault = (fault: CreativeFault): number => vastCodes[fault];
