// SPDX-License-Identifier: Apache-2.0
// Guided insertion in DASH: alternative MPD events, whose presentations the player inserts (ISO/IEC 23009-1:2026 5.16), and the MPDs
// that they lead to: a List MPD for a pod (8.14), and a static MPD of one Period for each clip.
// docs/decisions/053-guided-insertion.md states what players do with each attribute.
import { type Flicks, flicksToMillis } from '../../time/units.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import type { Span } from '../../timeline/programme/span.ts';
import { element, escapeText, xmlDeclaration } from '../../xml/write.ts';
import { writeDuration } from '../duration.ts';
import { adaptationSets } from './adaptationSets.ts';

const TIMESCALE = 1_000_000;
/** Players resolve an alternative at a random time from so much before it on, which spreads their requests. */
const RESOLVED_AHEAD = 60 * TIMESCALE;

/** The query parameter that names the session, in the URL of an MPD and, by Annex I, in requests for its alternatives. */
const SESSION = 'sid';
const PASSED_ON = element('RequestParam', {
  useMPDUrlQuery: true,
  queryTemplate: `${SESSION}=$query:${SESSION}$`,
  includeInRequests: 'altmpd',
});

/** In an MPD with alternatives, after its Periods: players are to read `RequestParam` (Annex I). */
export const ANNEX_I = element('EssentialProperty', { schemeIdUri: 'urn:mpeg:dash:urlparam:2025' });

export type Alternative = {
  readonly eventId: number;
  readonly breakId: string;
  /** Microseconds after the start of the Period. */
  readonly time: number;
  /** Microseconds. */
  readonly duration: number;
};

/**
 * All events of a scheme in a Period are in one stream.
 * @param kind dynamic MPDs have no `insert`
 * @param breaksUrl where the List MPDs of breaks are, the same for all viewers. Shaka Player 5.2 resolves relative URLs against its page
 */
export function alternativesStream(
  kind: 'replace' | 'insert',
  events: readonly Alternative[],
  breaksUrl: string,
  isOnAir = false,
): string {
  if (events.length === 0) return '';
  // On air, Shaka Player 5.2 would play a break that was over when the viewer joined.
  const noJump = isOnAir ? undefined : 2;
  const name = kind === 'replace' ? 'ReplacePresentation' : 'InsertPresentation';
  const written = events.map(({ eventId, breakId, time, duration }) => {
    const uri = `${breaksUrl}${breakId}.mpd`;
    // Without skipAfter, an alternative can be skipped at once.
    const skipAfter = `PT${duration / TIMESCALE}S`;
    const common = { uri, earliestResolutionTimeOffset: RESOLVED_AHEAD, maxDuration: duration, noJump, skipAfter };
    const alternative = element(
      name,
      kind === 'replace' ? { ...common, returnOffset: duration, clip: true, startWithOffset: true } : common,
    );
    return element('Event', { presentationTime: time, duration, id: eventId }, alternative);
  });
  const schemeIdUri = `urn:mpeg:dash:event:alternativeMPD:${kind}:2025`;
  return element('EventStream', { schemeIdUri, timescale: TIMESCALE }, ...written, PASSED_ON);
}

/** What the player requests at events of an ad, if the channel leaves that to it (5.10.4.5). `offset`: seconds after its start. */
export function callbackStream(
  events: readonly { readonly offset: number; readonly urls: readonly string[] }[],
): string {
  const written = events.flatMap(({ offset, urls }) =>
    urls.map((url) => ({ presentationTime: Math.max(0, Math.round(offset * TIMESCALE)), url })),
  );
  if (written.length === 0) return '';
  const all = written.map(({ presentationTime, url }, id) =>
    element('Event', { presentationTime, id }, escapeText(url)),
  );
  const attributes = { schemeIdUri: 'urn:mpeg:dash:event:callback:2015', value: '1', timescale: TIMESCALE };
  return element('EventStream', attributes, ...all);
}

const ROOT = { xmlns: 'urn:mpeg:dash:schema:mpd:2011', minBufferTime: 'PT2S' } as const;

type LinkedPeriod = { readonly id: string; readonly duration: Flicks; readonly url: string };

const durationOf = (length: Flicks): string => writeDuration(flicksToMillis(length));

/** A pod. Without clips, the alternative is not filled, and the player continues with the content. */
export function writeListMpd(clips: readonly LinkedPeriod[]): string {
  const periods =
    clips.length === 0
      ? [element('Period', { id: 'none', duration: 'PT0S' })]
      : clips.map(({ id, duration, url }) =>
          element('Period', { id, duration: durationOf(duration) }, element('ImportedMPD', {}, escapeText(url))),
        );
  const attributes = { ...ROOT, profiles: 'urn:mpeg:dash:profile:list:2024', type: 'list' };
  return `${xmlDeclaration}${element('MPD', attributes, periods.join('\n'))}\n`;
}

/** @param events event streams of the Period, or empty. @param baseUrl of relative segment URLs, relative to the MPD */
export function writeSinglePeriod(
  { id, placed: { clip } }: Pick<Span, 'id' | 'placed'>,
  { ladder, baseUrl, events }: { readonly ladder: Ladder; readonly baseUrl: string; readonly events: string },
): string {
  const sets = adaptationSets({ clip, first: clip.firsts, end: clip.ends }, ladder);
  const base = element('BaseURL', {}, escapeText(baseUrl));
  const inner = events === '' ? sets : `${events}\n${sets}`;
  const period = element('Period', { id, start: 'PT0S', duration: durationOf(clip.duration) }, inner);
  const profiles = 'urn:mpeg:dash:profile:sps:2024,urn:mpeg:dash:profile:isoff-live:2011';
  return `${xmlDeclaration}${element('MPD', { ...ROOT, profiles, type: 'static' }, `${base}\n${period}`)}\n`;
}
