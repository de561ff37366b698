// SPDX-License-Identifier: Apache-2.0
// Writes the bid request for a break (OpenRTB 2.6): one impression, a dynamic pod as long as the seconds that are free (§7.6). What
// only the operator knows, such as the app and the seller, is in the template of the source. Sending is left to an adapter, the
// response to readBidResponse.ts.
import type { AdTraits } from '../ads/record/offer.ts';
import { advertiserOf } from '../ads/record/traits.ts';
import { headersOf, plainAddress, type TracedParts, tracedPost } from '../ads/request/buildAdRequest.ts';
import { maskedJson, maskUrl } from '../ads/request/maskSecrets.ts';
import type { AdRequest } from '../ads/request/ports.ts';
import { isPreview, PREVIEW_HEADER } from '../ads/request/preview.ts';
import {
  type AdRequestBreak,
  type AdRequestSession,
  type AdRequestStamp,
  requestVariables,
} from '../ads/request/requestVariables.ts';
import type { Channel } from '../channels/channel.ts';
import type { AdRules, OpenRtbSource } from '../channels/demand.ts';
import { fieldsOf, isFields } from '../channels/fieldsOf.ts';
import { withoutUndefined } from '../invariant.ts';
import { fillMacros, type MacroValues } from '../vast/macros.ts';
import { type Auction, namedIn, termsOf } from './auction.ts';
import { mostAds, requestedDurations } from './requestedDurations.ts';
import { fillTemplate, mergeTemplate } from './template.ts';

/** What the channel adds to all its bid requests. */
export type BidChannel = Pick<Channel, 'type' | 'tracking' | 'repeats'> & {
  /** What is shown around the break, in the fields of OpenRTB (§3.2.16). */
  readonly content?: { readonly id: string; readonly title?: string };
  /** The picture, in pixels. */
  readonly size?: { readonly width: number; readonly height: number };
  /** Ads should fill breaks without a gap: lengths are requested that add up to the break. */
  readonly isExact?: boolean;
};

export type BidRequestOptions = {
  readonly channel: BidChannel;
  /** Milliseconds, for the exchange and the wrappers in its response. */
  readonly timeoutMs: number;
  readonly rules?: AdRules;
  /** Of ads that the break already has. */
  readonly before?: readonly AdTraits[];
};

export type BuiltBidRequest = {
  readonly request: AdRequest;
  /** The request's URL without secrets, for traces. */
  readonly maskedUrl: string;
  readonly traced: TracedParts;
  readonly variables: MacroValues;
  readonly auction: Auction;
};

/** The part of the time that the bidder has: the rest is for the way back and for wrappers. */
const BIDDER_SHARE = 0.8;
/** Seconds: a break of 29.97 s is offered as 30 s, because ads can be trimmed by a few frames. */
const ROUNDING = 0.1;

const POD_SEQUENCES = { pre: 1, mid: 0, post: -1 } as const;
const START_DELAYS = { pre: 0, mid: -1, post: -2 } as const;

type Inputs = {
  readonly source: OpenRtbSource;
  readonly session: AdRequestSession;
  readonly adBreak: AdRequestBreak;
  readonly options: BidRequestOptions;
  readonly variables: MacroValues;
  readonly currency: string;
  readonly seconds: number;
  readonly startsIn: number;
};

/** The parameter of the session, in any case; undefined if it is absent or empty. */
const parameterOf = ({ variables }: Inputs, name: string): string | undefined =>
  variables(`PLAYER.${name}`) || undefined;

const flagOf = (inputs: Inputs, name: string): 0 | 1 | undefined => {
  const value = parameterOf(inputs, name);
  return value === '1' ? 1 : value === '0' ? 0 : undefined;
};

const unlessEmpty = <Fields extends object>(fields: Fields): Fields | undefined =>
  Object.keys(fields).length === 0 ? undefined : fields;

/** In the spelling of the IAB, such as `IAB2-3`. */
const categoryText = (category: string): string => category.replace(/^iab(?=\d)/i, 'IAB');

/** How the pod is kept from repeating itself (AdCOM, "Pod Deduplication Settings"). */
function dedupeOf({ rules = {}, channel: { repeats } }: BidRequestOptions): number[] {
  const kinds = [
    ...(rules.separateAdvertisers === 'break' || rules.maxPerAdvertiser === 1 ? [1] : []),
    ...(rules.separateCategories === 'break' ? [2] : []),
    // Bids are stand-alone ads, which are not repeated (`inPods`).
    ...(repeats === 'allow' ? [] : [4]),
  ];
  return kinds.length === 0 ? [5] : kinds;
}

function durationsOf({ options: { channel }, adBreak: { maxAds }, seconds, source }: Inputs): object {
  const maxseq = maxAds ?? mostAds(seconds);
  const isOfTemplate = (...names: string[]): boolean => {
    const [first] = Array.isArray(source.template?.imp) ? source.template.imp : [];
    const video = fieldsOf(fieldsOf(first).video);
    return names.some((name) => Object.hasOwn(video, name));
  };
  const exactly =
    channel.isExact !== true || isOfTemplate('minduration', 'maxduration')
      ? {}
      : { rqddurs: requestedDurations(seconds, maxseq) };
  // One or the other (§3.2.7).
  const between = 'rqddurs' in exactly || isOfTemplate('rqddurs') ? {} : { minduration: 1, maxduration: seconds };
  return { poddur: seconds, maxseq, ...exactly, ...between };
}

function videoOf(inputs: Inputs): object {
  const { source, adBreak, options, variables } = inputs;
  const { position = 'mid', contentTime = 0 } = adBreak;
  const listed = (macro: string): string[] => variables(macro)?.split(',') ?? [];
  const { width: w, height: h } = options.channel.size ?? {};
  return {
    mimes: listed('MEDIAMIME'),
    protocols: listed('VASTVERSIONS').map(Number),
    ...withoutUndefined({ w, h, mincpmpersec: source.floorPerSecond }),
    ...durationsOf(inputs),
    podid: adBreak.id,
    podseq: POD_SEQUENCES[position],
    poddedupe: dedupeOf(options),
    startdelay: position === 'mid' && contentTime >= 1 ? Math.round(contentTime) : START_DELAYS[position],
    plcmt: 1,
    linearity: 1,
  };
}

function impressionOf(inputs: Inputs): object {
  const { source, options, currency, seconds, startsIn } = inputs;
  return {
    id: '1',
    video: videoOf(inputs),
    ssai: options.channel.tracking === 'server' ? 3 : 2,
    exp: startsIn + seconds,
    secure: 1,
    bidfloorcur: currency,
    ...withoutUndefined({ bidfloor: source.floor }),
  };
}

function deviceOf(inputs: Inputs): object | undefined {
  const { address, userAgent } = inputs.session.viewer;
  const ip = plainAddress(address);
  const place = ip === '' ? {} : ip.includes(':') ? { ipv6: ip } : { ip };
  const ua = userAgent === '' ? undefined : userAgent;
  const lmt = flagOf(inputs, 'limitAdTracking') ?? flagOf(inputs, 'lmt');
  return unlessEmpty({ ...place, ...withoutUndefined({ ua, ifa: parameterOf(inputs, 'ifa'), lmt }) });
}

/** Consent signals, as the player sent them (requestVariables.ts). */
function consentOf(inputs: Inputs): { readonly user: object | undefined; readonly regs: object | undefined } {
  const sections = parameterOf(inputs, 'gpp_sid')
    ?.match(/\d{1,9}/g)
    ?.slice(0, 20)
    .map(Number);
  const regs = withoutUndefined({
    coppa: flagOf(inputs, 'coppa'),
    gdpr: flagOf(inputs, 'gdpr'),
    us_privacy: parameterOf(inputs, 'us_privacy'),
    gpp: parameterOf(inputs, 'gpp'),
    gpp_sid: sections,
  });
  return {
    user: unlessEmpty(withoutUndefined({ consent: parameterOf(inputs, 'gdpr_consent') })),
    regs: unlessEmpty(regs),
  };
}

/** Content belongs to an app, a site or a screen outdoors, which only the template has. */
function contentOf({ source: { template = {} }, options: { channel } }: Inputs): object {
  const place = ['site', 'dooh', 'app'].find((name) => isFields(template[name]));
  if (place === undefined) return {};
  const signals = { livestream: channel.type === 'vod' ? 0 : 1, realtime: channel.type === 'live' ? 1 : 0 };
  return { [place]: { content: { ...channel.content, ...signals } } };
}

function ownRequest(inputs: Inputs, id: string): object {
  const { options, currency } = inputs;
  const { rules = {}, before = [] } = options;
  const categories = [
    ...(rules.blockedCategories ?? []),
    ...(rules.separateCategories === 'break' ? before.flatMap((traits) => traits.categories) : []),
  ];
  const advertisers = [
    ...(rules.blockedAdvertisers ?? []),
    ...(rules.separateAdvertisers === 'break' ? before.flatMap((traits) => traits.advertisers) : []),
  ];
  return {
    id,
    imp: [impressionOf(inputs)],
    ...contentOf(inputs),
    ...withoutUndefined({ device: deviceOf(inputs), ...consentOf(inputs) }),
    at: 1,
    tmax: Math.floor(options.timeoutMs * BIDDER_SHARE),
    cur: [currency],
    source: { tid: id },
    ...withoutUndefined({
      bcat: unlessEmpty([...new Set(categories.map(categoryText))]),
      // Names of advertisers without a domain mean nothing to bidders.
      badv: unlessEmpty([...new Set(advertisers.map(advertiserOf))].filter((text) => /^\S+\.\S+$/.test(text))),
    }),
  };
}

/**
 * The source's headers take precedence. The adapter compresses the body if the headers say so.
 * @param adBreak with the seconds and ads that are free
 */
export function buildBidRequest(
  source: OpenRtbSource,
  session: AdRequestSession,
  adBreak: AdRequestBreak,
  at: AdRequestStamp,
  options: BidRequestOptions,
): BuiltBidRequest {
  const variables = requestVariables(
    { ...session, viewer: { ...session.viewer, address: plainAddress(session.viewer.address) } },
    adBreak,
    at,
  );
  const inputs: Inputs = {
    source,
    session,
    adBreak,
    options,
    variables,
    currency: source.currency ?? 'USD',
    seconds: Math.max(1, Math.floor(adBreak.duration + ROUNDING)),
    startsIn: Math.max(0, Math.ceil((adBreak.startsAt - at.now) / 1000 + (adBreak.contentTime ?? 0))),
  };
  const template = fillTemplate(source.template ?? {}, variables);
  const json = mergeTemplate(ownRequest(inputs, at.transactionId()), template);
  const sourceHeaders = headersOf(source, variables);
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    'user-agent': 'Midroll',
    'x-openrtb-version': '2.6',
    ...(isPreview(session) ? { [PREVIEW_HEADER]: '1' } : {}),
    ...sourceHeaders,
  };
  const { 'content-type': contentType, 'x-openrtb-version': version } = headers;
  const coding = source.gzip === true ? { 'content-encoding': 'gzip' } : {};
  const url = fillMacros(source.url.trim(), variables);
  return {
    request: { url, method: 'POST', headers: { ...headers, ...coding }, body: JSON.stringify(json) },
    maskedUrl: maskUrl(url),
    traced: tracedPost(
      { 'content-type': contentType, 'x-openrtb-version': version, ...sourceHeaders },
      maskedJson(json),
    ),
    variables,
    auction: {
      ...namedIn(json),
      ...termsOf(source),
      seconds: inputs.seconds,
      startsIn: inputs.startsIn,
    },
  };
}
