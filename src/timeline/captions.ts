// Closed captions inside the pictures (CTA-608, CTA-708): Midroll passes them on as they are, and tells of them as the
// source did.
import type { Asset } from './asset.ts';

export type Caption = {
  /** `CC1` to `CC4`, or `SERVICE1` to `SERVICE63` (RFC 8216 §4.3.4.1, INSTREAM-ID). */
  readonly channel: string;
  readonly language?: string;
  readonly name?: string;
  readonly characteristics?: string;
};

/** A value of INSTREAM-ID as it should be. */
export const isCaptionChannel = (text: string): boolean => /^(?:CC[1-4]|SERVICE(?:[1-9]|[1-5]\d|6[0-3]))$/.test(text);

/**
 * What may be told of the pictures of all these assets: the channels that some of them have; none, when all their sources
 * say that there are none; undefined when that is not known.
 */
export function captionsOf(assets: readonly Asset[]): readonly Caption[] | undefined {
  const told = assets.flatMap(({ renditions }) =>
    renditions.filter(({ kind }) => kind === 'video' || kind === 'muxed').map(({ captions }) => captions),
  );
  const found = new Map<string, Caption>();
  for (const caption of told.flatMap((captions) => captions ?? [])) {
    if (!found.has(caption.channel)) found.set(caption.channel, caption);
  }
  return found.size > 0 || (told.length > 0 && !told.includes(undefined)) ? [...found.values()] : undefined;
}
