// Closed captions inside the pictures (CTA-608, CTA-708): Midroll passes them on as they are, and tells of them as the
// source did.
export type Caption = {
  /** `CC1` to `CC4`, or `SERVICE1` to `SERVICE63` (RFC 8216 §4.3.4.1, INSTREAM-ID). */
  readonly channel: string;
  readonly language?: string;
  readonly name?: string;
  readonly characteristics?: string;
};

/** A value of INSTREAM-ID as it should be. */
export const isCaptionChannel = (text: string): boolean => /^(?:CC[1-4]|SERVICE(?:[1-9]|[1-5]\d|6[0-3]))$/.test(text);
