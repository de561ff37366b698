// SPDX-License-Identifier: Apache-2.0
// Closed captions embedded in the video (CTA-608, CTA-708). Midroll passes them through and declares them as the source does.
export type Caption = {
  /** `CC1` to `CC4`, or `SERVICE1` to `SERVICE63` (RFC 8216 §4.3.4.1, INSTREAM-ID). */
  readonly channel: string;
  readonly language?: string;
  readonly name?: string;
  readonly characteristics?: string;
};

/** Whether a value of INSTREAM-ID is valid. */
export const isCaptionChannel = (text: string): boolean => /^(?:CC[1-4]|SERVICE(?:[1-9]|[1-5]\d|6[0-3]))$/.test(text);
