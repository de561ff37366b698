// SPDX-License-Identifier: Apache-2.0
/** What a session of a VoD channel plays, as typed. */
export type VodTarget = {
  /** URL of the content that fills placeholders. */
  readonly content: string;
  /** Seconds of content. */
  readonly start: string;
};

/** Query parameters of playback URLs; empty fields are omitted. */
export const vodParameters = ({ content, start }: VodTarget): Record<string, string> => ({
  ...(content.trim() === '' ? {} : { content: content.trim() }),
  ...(start.trim() === '' ? {} : { start: start.trim().replace(/^([^,.]*),([^,.]*)$/, '$1.$2') }),
});
