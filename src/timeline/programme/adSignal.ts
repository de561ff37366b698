// SPDX-License-Identifier: Apache-2.0
// The signal of an ad in manifests: SVTA 2053 (Ad Creative Signaling in DASH and HLS), which players support themselves.
// Each ad is a slot with the id that the tracking feeds use. Tracking URLs are not included, because viewers with the same
// ads share the text (docs/decisions/008-ads-in-manifests.md).
import { memo } from '../../cache/memo.ts';
import { flicksToMicros } from '../../time/units.ts';
import { announcedDuration, type Clip } from '../asset/clip.ts';
import type { Span } from './span.ts';

/** The CLASS of a date range and the schemeIdUri of an event stream. */
export const AD_SCHEME = 'urn:svta:advertising-wg:ad-creative-signaling';
/** Our own scheme: the standard ways to announce a break are splice commands. */
export const BREAK_SCHEME = 'urn:midroll:break:2026';
/** The scheme of the identifier in the signal, which is the id of the ad in this session. */
const IDENTIFIER_SCHEME = 'urn:midroll:ad:2026';

function signalOf(adId: string, clip: Clip): string {
  const slot = {
    type: 'linear',
    start: 0,
    duration: flicksToMicros(announcedDuration(clip)) / 1e6,
    identifiers: [{ scheme: IDENTIFIER_SCHEME, value: adId }],
    tracking: [],
  };
  return JSON.stringify({ version: 2, type: 'slot', payload: [slot] });
}

type Encode = (json: string) => string;

export const adSignal = ({ adId, placed: { clip } }: Span, encode: Encode): string | undefined =>
  adId === undefined ? undefined : encode(signalOf(adId, clip));

/**
 * The same for one encoding. The last signal is kept with the clip: on demand, the URLs of an ad's clip contain its id, so viewers who
 * share the clip share the signal.
 */
export function keptSignals(encode: Encode): (span: Span) => string | undefined {
  const signals = memo((_: Clip) => ({ adId: '', text: '' }));
  return ({ adId, placed: { clip } }) => {
    if (adId === undefined) return undefined;
    const last = signals(clip);
    if (last.adId !== adId) Object.assign(last, { adId, text: encode(signalOf(adId, clip)) });
    return last.text;
  };
}
