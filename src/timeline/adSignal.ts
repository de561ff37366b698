// How an ad is signalled in manifests: the carriage of SVTA 2053 (Ad Creative Signaling in DASH and HLS), which players
// read by themselves. A slot of one linear ad, told by the id under which the feeds know it; whom to call is not said,
// because viewers with the same ads share what is written.
import { flicksToMicros } from '../time/units.ts';
import type { Span } from './span.ts';

/** CLASS of a date range, schemeIdUri of an event stream. */
export const AD_SCHEME = 'urn:svta:advertising-wg:ad-creative-signaling';
/** Ours: nothing standard says "a break is on" without being a splice command. */
export const BREAK_SCHEME = 'urn:midroll:break:2026';
/** Of the identifier that stands in the signal: the id of the ad in this session. */
const IDENTIFIER_SCHEME = 'urn:midroll:ad:2026';

/** The signal of a span that is an ad, as JSON; undefined for any other. */
export function adSignal({ adId, placed }: Span): string | undefined {
  if (adId === undefined) return undefined;
  const slot = {
    type: 'linear',
    start: 0,
    duration: flicksToMicros(placed.clip.duration) / 1e6,
    identifiers: [{ scheme: IDENTIFIER_SCHEME, value: adId }],
    tracking: [],
  };
  return JSON.stringify({ version: 2, type: 'slot', payload: [slot] });
}
