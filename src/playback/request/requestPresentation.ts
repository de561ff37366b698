// SPDX-License-Identifier: Apache-2.0
// Requests the ads of a whole presentation: one request, whose response names the breaks (VMAP). The breaks are resolved in
// parallel within the deadline of the request, and each has an outcome of its own.
import { inPlace } from '../../ads/pod/adOutcome.ts';
import type { BreakOutcome, ServerOutcome, TracedHook } from '../../ads/record/breakRecord.ts';
import type { AdResponseReader, AdServer } from '../../ads/request/ports.ts';
import type { Clock } from '../../time/clock.ts';
import type { VmapBreak, VmapResponse } from '../../vast/read/readVmap.ts';
import { breakOutcome, limitWarnings, noAdsReason, resolveVmapBreak, vmapVersion, warningsOf } from './breakOutcome.ts';
import {
  type AdRequestContext,
  type ReceivedDocument,
  requestDocument,
  resolveForBreak,
  withTemplateWarnings,
} from './requestAds.ts';
import { breakBudget, createWrapperFetcher } from './wrapperFetcher.ts';

/** A break of VMAP, with its ads in `outcome` instead of its source. */
export type PresentationBreak = { readonly vmap: VmapBreak; readonly outcome: BreakOutcome };

/**
 * `breaks` is present if the response is VMAP; then they have the ads, and `reason` states why none has any. Otherwise this is
 * the outcome of VAST, or a failure. `hooks`: what the hook before the request did.
 */
export type PresentationOutcome = ServerOutcome & {
  readonly breaks?: readonly PresentationBreak[];
  readonly hooks?: readonly TracedHook[];
};

/** The budget for the wrappers and ad tags of all breaks together. */
const SHARED_BUDGET = { requests: 300, bytes: 16 * 2 ** 20 };

export async function requestPresentation(
  context: AdRequestContext,
  adServer: AdServer,
  reader: AdResponseReader,
  clock: Clock,
): Promise<PresentationOutcome> {
  const received = await requestDocument(context, adServer, reader, clock);
  if (!('document' in received)) return withTemplateWarnings(context, received);
  const { document } = received;
  const outcome = await ('adBreaks' in document ? resolveBreaks(received, document) : resolveForBreak(received));
  return withTemplateWarnings(context, outcome);
}

async function resolveBreaks(received: ReceivedDocument, vmap: VmapResponse): Promise<PresentationOutcome> {
  const shared = { ...SHARED_BUDGET };
  const { request, variables, reader } = received;
  const breaks = await Promise.all(
    vmap.adBreaks.map(async (adBreak): Promise<PresentationBreak> => {
      const { fetch, sent } = createWrapperFetcher(received, [breakBudget(), shared]);
      const resolution = await resolveVmapBreak(adBreak, fetch);
      const { source: _, ...rest } = adBreak;
      const outcome = breakOutcome(resolution, withoutAdsText(adBreak), reader.maxUrls);
      return { vmap: rest, outcome: { ...outcome, ...(sent.length > 0 ? { wrappers: sent } : {}), variables } };
    }),
  );
  const dropped = breaks.flatMap(({ outcome }) => outcome.dropped);
  const isEmpty = breaks.every(({ outcome }) => outcome.ads.length === 0);
  const what = 'The ad server returned VMAP without ads in its linear breaks.';
  return {
    request,
    response: { version: vmapVersion(vmap), ...received.response },
    variables,
    breaks,
    warnings: limitWarnings(warningsOf(vmap)),
    ads: [],
    dropped: [],
    errors: [],
    ...(isEmpty ? { reason: noAdsReason({ dropped }, what) } : {}),
  };
}

function withoutAdsText({ breakTypes, source }: VmapBreak): string {
  if (!breakTypes.includes('linear')) return `The VMAP break is not linear (${breakTypes.join(', ')}).`;
  return source?.kind === 'custom' ? 'CustomAdData of VMAP is not supported.' : 'The VMAP break contains no ads.';
}

/**
 * The ads of several breaks of a document as one break, in the order of the breaks. Their pods are numbered as one.
 * @param outcomes at least one
 */
export function joinBreaks(outcomes: readonly BreakOutcome[]): BreakOutcome {
  const [first, ...others] = outcomes;
  if (first === undefined) throw new Error('A break must have at least one outcome.');
  if (others.length === 0) return first;
  let before = 0;
  const ads = outcomes.flatMap((outcome, place) => {
    const offset = before;
    return outcome.ads.map((ad) => {
      const placed = inPlace(ad, place);
      if (ad.sequence === undefined) return placed;
      before = Math.max(before, offset + ad.sequence);
      return { ...placed, sequence: offset + ad.sequence };
    });
  });
  const wrappers = outcomes.flatMap((one) => one.wrappers ?? []);
  const reason = outcomes.find((one) => one.reason !== undefined)?.reason;
  return {
    ...(wrappers.length > 0 ? { wrappers } : {}),
    ...(first.variables === undefined ? {} : { variables: first.variables }),
    warnings: limitWarnings(outcomes.flatMap(({ warnings }) => warnings)),
    ads,
    dropped: outcomes.flatMap(({ dropped }) => dropped),
    errors: outcomes.flatMap(({ errors }, place) => errors.map((one) => inPlace(one, place))),
    ...(ads.length === 0 && reason !== undefined ? { reason } : {}),
  };
}
