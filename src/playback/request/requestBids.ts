// SPDX-License-Identifier: Apache-2.0
// Requests bids for one break from a bidder or an exchange (OpenRTB): the request, the markup of its bids and the wrappers in it,
// within one deadline. Every failure is returned as an outcome with a reason. What the request contains and how the response is
// read is in src/openrtb; which bids win is decided with the ads of other sources.
import { shownCreative } from '../../ads/pod/chooseMediaFiles.ts';
import type { BreakOutcome, DroppedAd, NoAdsReason, ServerOutcome } from '../../ads/record/breakRecord.ts';
import type { AdTraits, Offer } from '../../ads/record/offer.ts';
import { boundedTraits, traitsOfVast } from '../../ads/record/traits.ts';
import { presentedBy } from '../../ads/request/certificateFor.ts';
import { maskSecrets, secretsOfRequest } from '../../ads/request/maskSecrets.ts';
import type { AdResponseReader, AdServer } from '../../ads/request/ports.ts';
import type { OpenRtbSource } from '../../channels/demand.ts';
import { withoutUndefined } from '../../invariant.ts';
import {
  type Auction,
  auctionOfBody,
  type BidsRead,
  floorFault,
  type ReadBid,
  type RefusedBid,
} from '../../openrtb/auction.ts';
import {
  type BidChannel,
  type BidRequestOptions,
  type BuiltBidRequest,
  buildBidRequest,
} from '../../openrtb/buildBidRequest.ts';
import { noBidReason } from '../../openrtb/noBidReason.ts';
import type { BidReader } from '../../openrtb/ports.ts';
import { bidTemplateWarnings } from '../../openrtb/template.ts';
import type { Clock } from '../../time/clock.ts';
import { flicksToSeconds } from '../../time/units.ts';
import { MAX_RAW_CHARACTERS } from '../../vast/read/readAdResponse.ts';
import type { InLineAd } from '../../vast/response.ts';
import { breakOutcome, limitWarnings, resolveDocument } from './breakOutcome.ts';
import { failedOutcome, momentOf, withoutAds } from './requestAds.ts';
import type { SourceRequest } from './requestSteps.ts';
import { emptyResolution, mergeResolutions, type Resolution, type WrapperFetcher } from './resolveWrappers.ts';
import { createWrapperFetcher, failedText, traceRequest } from './wrapperFetcher.ts';

export type BidsDeps = Clock & {
  readonly adServer: AdServer;
  readonly reader: AdResponseReader & BidReader;
  /**
   * Changes a request before it is sent, or returns why it is not sent.
   * @param timeLeft milliseconds until the deadline
   */
  readonly change?: (built: BuiltBidRequest, timeLeft: number) => Promise<BuiltBidRequest | NoAdsReason>;
};

type BidSource = Pick<SourceRequest<OpenRtbSource>, 'source' | 'step'>;

const MAX_RESPONSE_BYTES = 2 ** 20;
/** For the wrappers of all bids together. */
const WRAPPER_BUDGET = { requests: 90, bytes: 8 * 2 ** 20 };
/** JSON is Unicode, whatever encoding the XML in it declares. */
const BYTE_ORDER_MARK = '\uFEFF';

export async function requestBids(
  request: SourceRequest<OpenRtbSource>,
  channel: BidChannel,
  deps: BidsDeps,
): Promise<ServerOutcome> {
  const outcome = await outcomeOf(request, channel, deps);
  const warnings = bidTemplateWarnings(request.source);
  return warnings.length === 0 ? outcome : { ...outcome, warnings: limitWarnings([...warnings, ...outcome.warnings]) };
}

async function outcomeOf(
  { source, step, session, adBreak, timeoutMs, rules, before, onRest }: SourceRequest<OpenRtbSource>,
  channel: BidChannel,
  { adServer, reader, change = async (same) => same, now, timers }: BidsDeps,
): Promise<ServerOutcome> {
  const deadline = timers.elapsed() + timeoutMs;
  const timeLeft = () => deadline - timers.elapsed();
  const options: BidRequestOptions = {
    channel,
    timeoutMs,
    before: before.map(({ ad, offer }) => offer?.traits ?? traitsOfVast(ad)),
    ...withoutUndefined({ rules }),
  };
  const own = buildBidRequest(source, session, adBreak, momentOf(now()), options);
  const built = await change(own, timeLeft());
  if ('code' in built) return withoutAds({ url: own.maskedUrl, ms: 0 }, built);
  const { request, variables } = built;
  const { body = '' } = request;
  const auction = body === own.request.body ? own.auction : auctionOfBody(body, own.auction);
  const received = await adServer.send(request, {
    timeoutMs: Math.max(1, Math.ceil(timeLeft())),
    maxBytes: MAX_RESPONSE_BYTES,
    ...presentedBy(source, session),
  });
  if (!received.ok && received.restsMs !== undefined) onRest?.(received.restsMs);
  const traced = { ...traceRequest(received, built.maskedUrl, 'The bidder'), ...built.traced };
  const secrets = secretsOfRequest(request);
  if (!received.ok) return failedOutcome(received, traced, secrets);
  if (received.bytes.length === 0) return withoutAds(traced, noBidReason());
  const { raw, contentType } = failedText(received, secrets, MAX_RAW_CHARACTERS);
  const response = { version: '', bytes: received.bytes.length, raw };
  const read = await reader.readBids(received.bytes, auction);
  if (read.kind === 'unreadable') {
    // The reason may quote the response.
    const text = `The bid response cannot be read: ${maskSecrets(read.reason, secrets)}.`;
    return withoutAds(traced, { code: 'BIDS_UNREADABLE', text }, { ...response, contentType });
  }
  if (read.kind === 'noBid') return { ...withoutAds(traced, read.reason, response), warnings: read.warnings };
  const from = { source, step };
  const wrapperDeps = { adServer, reader, session, variables, timeLeft };
  const { fetch, sent } = createWrapperFetcher(wrapperDeps, [{ ...WRAPPER_BUDGET }]);
  const markup: MarkupDeps = { reader, fetch, auction, url: received.url, from };
  return {
    request: traced,
    response,
    ...(await offeredAds(read, markup)),
    ...(sent.length > 0 ? { wrappers: sent } : {}),
    variables,
  };
}

/** The ads of the bids that are worth reading. */
export async function offeredAds(
  { bids, refused, warnings }: Extract<BidsRead, { kind: 'bids' }>,
  markup: MarkupDeps,
): Promise<BreakOutcome> {
  const resolutions = await Promise.all(bids.map((bid) => resolveBid(bid, markup)));
  const resolution = mergeResolutions([
    { ...emptyResolution, warnings },
    ...resolutions,
    { ...emptyResolution, dropped: refused.map((bid) => droppedBid(bid, markup.from)) },
  ]);
  return breakOutcome(resolution, 'The bidder returned bids, and none could be read.', markup.reader.maxUrls);
}

const offerOf = (
  { price, traits, facts }: Pick<ReadBid, 'price' | 'traits' | 'facts'>,
  { step, source }: BidSource,
): Offer => ({ step, source: source.id, price, traits, bid: facts });

const droppedBid = (bid: RefusedBid, from: BidSource): DroppedAd => ({
  id: bid.facts.id,
  skip: bid.skip,
  offer: offerOf(bid, from),
});

type MarkupDeps = {
  readonly reader: AdResponseReader;
  readonly fetch: WrapperFetcher;
  readonly auction: Auction;
  /** Of the response. */
  readonly url: string;
  readonly from: BidSource;
};

/** The ad of a bid, or why there is none. A bid is one ad: others in its markup are dropped. */
async function resolveBid(bid: ReadBid, { reader, fetch, auction, url, from }: MarkupDeps): Promise<Resolution> {
  const bytes = new TextEncoder().encode(BYTE_ORDER_MARK + bid.adm);
  const { document } = await reader.read({ url, bytes, contentType: 'application/xml' });
  const refused = (code: RefusedBid['skip']['code'], text: string): DroppedAd =>
    droppedBid({ ...bid, skip: { code, text } }, from);
  const resolved = await resolveDocument(document, fetch);
  if ('reason' in resolved)
    return {
      ...emptyResolution,
      dropped: [refused('VAST_UNREADABLE', `In the markup of the bid: ${resolved.reason}`)],
    };
  const { found, dropped, errors, warnings } = resolved.resolution;
  const named = warnings.map((warning) => `markup of the bid "${bid.facts.id}": ${warning}`);
  const [first, ...others] = found;
  if (first === undefined) {
    const [cause, ...rest] = dropped;
    const lost =
      cause === undefined
        ? refused('BID_INVALID', 'Its markup contains no ads.')
        : { ...cause, offer: offerOf(bid, from) };
    return { ...emptyResolution, dropped: [lost, ...rest], errors, warnings: named };
  }
  const traits = joinTraits(bid.traits, traitsOfVast(first.ad));
  const offer = offerOf({ ...bid, traits }, from);
  const excess = others.map(({ ad }) => extraAd(ad));
  const fault = floorFault(bid, auction, secondsOf(first.ad) ?? bid.seconds);
  if (fault !== undefined) {
    const lost = { ...withTitle(first.ad), skip: fault, offer };
    return { ...emptyResolution, dropped: [lost, ...dropped, ...excess], warnings: named };
  }
  return {
    found: [{ ad: withBilling(first.ad, bid.burl), isPod: false, offer }],
    dropped: [...dropped, ...excess],
    // Alternatives of an ad that can be shown are not needed.
    errors: errors.filter(({ fallback }) => fallback === undefined),
    warnings: named,
  };
}

const withTitle = ({ id = '', adTitle }: InLineAd): Pick<DroppedAd, 'id' | 'title'> => ({
  id,
  ...withoutUndefined({ title: adTitle }),
});

const extraAd = (ad: InLineAd): DroppedAd => ({
  ...withTitle(ad),
  skip: { code: 'BID_INVALID', text: 'Its bid has several ads. A bid is for one ad, so only the first is used.' },
});

/** As in its VAST; undefined if it states none. */
function secondsOf(ad: InLineAd): number | undefined {
  const duration = shownCreative(ad)?.linear.duration;
  return duration === undefined ? undefined : flicksToSeconds(duration);
}

const joinTraits = (bid: AdTraits, vast: AdTraits): AdTraits =>
  boundedTraits({
    ...bid,
    advertisers: [...bid.advertisers, ...vast.advertisers],
    categories: [...bid.categories, ...vast.categories],
    creatives: [...bid.creatives, ...vast.creatives],
  });

/**
 * The billing notice is due with the impression (OpenRTB 2.6 §4.2.3), and once, even if the markup has it, too. It is first, so that
 * no limit removes it.
 */
const withBilling = (ad: InLineAd, burl: string | undefined): InLineAd =>
  burl === undefined || ad.impressions.some(({ url }) => url === burl)
    ? ad
    : { ...ad, impressions: [{ id: 'burl', url: burl }, ...ad.impressions] };
