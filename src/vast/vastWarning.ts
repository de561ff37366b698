// SPDX-License-Identifier: Apache-2.0
import type { XmlFaultCode } from '../xml/element.ts';

export type VastWarningCode =
  | XmlFaultCode
  // values
  | 'INVALID_NUMBER'
  | 'INVALID_BOOLEAN'
  | 'INVALID_TIME'
  | 'INVALID_OFFSET'
  | 'INVALID_URL'
  | 'INVALID_DELIVERY'
  | 'UNKNOWN_VERSION'
  | 'UNKNOWN_EVENT'
  /** A bit rate in bit/s, where VAST has kbit/s. */
  | 'BITRATE_IN_BITS'
  // elements
  | 'UNKNOWN_ELEMENT'
  | 'EXTRA_ELEMENT'
  | 'NEITHER_INLINE_NOR_WRAPPER'
  | 'SECOND_LINEAR'
  | 'MISSING_URL'
  | 'MISSING_TAG_URL'
  | 'MISSING_EVENT'
  | 'MISSING_VAST'
  /** A VMAP break contains a VAST document that cannot be read. */
  | 'UNREADABLE_VAST'
  | 'ESCAPED'
  // limits
  | 'TOO_MANY_ADS'
  | 'TOO_MANY_BREAKS'
  | 'TOO_MANY_ITEMS'
  | 'AD_TOO_LARGE';

/** Something that was tolerated in an ad response. A warning about the whole document has no line. */
export type VastWarning = { readonly line?: number; readonly code: VastWarningCode; readonly text: string };
