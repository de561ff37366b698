// Asks for a break's ads: one request, the wrappers it leads to, one deadline for it all. It knows the order of things
// and turns every failure into an answer with a plain reason; it refuses to know creatives, lengths and manifests.
import { randomInt, randomUUID } from 'node:crypto';
import type { AdRequestOutcome, NoAdsReason, ResolvedAd } from '../../ads/record/adRequestOutcome.ts';
import type { TracedRequest } from '../../ads/record/breakRecord.ts';
import { type AdSourceSettings, buildAdRequest, viewerHeaders } from '../../ads/request/buildAdRequest.ts';
import { maskSecrets, maskUrl, secretsOf } from '../../ads/request/maskSecrets.ts';
import type { AdResponseReader, AdServer, AdServerResponse } from '../../ads/request/ports.ts';
import type { AdRequestBreak, AdRequestSession } from '../../ads/request/requestVariables.ts';
import type { Clock } from '../../time/clock.ts';
import { fillMacros, type MacroValues } from '../../vast/macros.ts';
import { limitAd, nameOfAd } from '../../vast/read/limitAd.ts';
import { MAX_ADS_PER_RESPONSE } from '../../vast/read/limitResponse.ts';
import { resolveDocument } from './resolveDocument.ts';
import type { FoundAd, Resolution, WrapperFetcher } from './resolveWrappers.ts';

export type AdRequestContext = {
  readonly source: AdSourceSettings & { readonly timeoutMs?: number };
  readonly session: AdRequestSession;
  readonly adBreak: AdRequestBreak;
};

const USUAL_TIMEOUT = 2_000;
/** Wrappers followed for one break, side by side and in a row. */
const MOST_WRAPPERS = 30;
/** Bytes of an answer that a wrapper leads to, and of all of them: there may be as many at once. */
const LARGEST_WRAPPED = 512 * 1024;
const MOST_WRAPPED = 4 * 2 ** 20;
const MOST_WARNINGS = 200;
/** Of ads that were lost on the way, in the trace. */
const MOST_DROPPED = 200;

export async function requestAds(
  question: AdRequestContext,
  adServer: AdServer,
  reader: AdResponseReader,
  { now, timers }: Clock,
): Promise<AdRequestOutcome> {
  const { source, session, adBreak } = question;
  const timeoutMs = source.timeoutMs ?? USUAL_TIMEOUT;
  const deadline = timers.elapsed() + timeoutMs;
  const timeLeft = () => deadline - timers.elapsed();
  const cacheBuster = String(randomInt(10_000_000, 100_000_000));
  const at = { now: now(), transactionId: randomUUID(), cacheBuster };
  const { request, shownUrl, variables } = buildAdRequest(source, session, adBreak, at);
  const answer = await adServer.send(request, { timeoutMs });
  const told = requestOf(answer, shownUrl);
  if (!answer.ok) return withoutAds(told, failureOf(answer.error, told.error!));
  if (answer.bytes.length === 0) {
    return withoutAds(told, { code: 'NO_ADS', text: `The ad server answered ${answer.status} with nothing in it.` });
  }
  const { document, raw: start } = await reader.read(answer);
  const raw = maskSecrets(start, secretsOf(request.url));
  const wrappers: TracedRequest[] = [];
  const follow = followingWithin(timeLeft, { adServer, reader }, session, variables, (one) => wrappers.push(one));
  const read = await resolveDocument(document, follow);
  const response = { version: 'version' in read ? read.version : '', bytes: answer.bytes.length, raw };
  if ('reason' in read) {
    // The reason may quote the answer, and the answer may repeat the request.
    const unreadable = maskSecrets(read.reason, secretsOf(request.url));
    return withoutAds(told, { code: 'VAST_UNREADABLE', text: unreadable }, response);
  }
  return {
    ...answerOf(told, response, read.harvest, reader.mostUrls),
    ...(wrappers.length > 0 ? { wrappers } : {}),
    variables,
  };
}

const requestOf = (answer: AdServerResponse, url: string, who = 'The ad server'): TracedRequest => ({
  url,
  ...(answer.status === undefined ? {} : { status: answer.status }),
  ms: answer.ms,
  ...(answer.ok ? {} : { error: `${who} ${answer.reason}.` }),
});

const failureOf = (error: string, text: string): NoAdsReason => ({
  code:
    error === 'timeout'
      ? 'AD_SERVER_TIMEOUT'
      : error === 'busy' || error === 'resting'
        ? 'AD_SERVER_NOT_ASKED'
        : 'AD_SERVER_FAILED',
  text,
});

function withoutAds(
  request: AdRequestOutcome['request'],
  reason: NoAdsReason,
  response?: AdRequestOutcome['response'],
): AdRequestOutcome {
  return { request, ...(response ? { response } : {}), warnings: [], ads: [], dropped: [], errors: [], reason };
}

/** Asks the servers that wrappers name, on behalf of the same viewer, with what is left of the time. */
function followingWithin(
  timeLeft: () => number,
  { adServer, reader }: { readonly adServer: AdServer; readonly reader: AdResponseReader },
  session: AdRequestSession,
  variables: MacroValues,
  tell: (asked: TracedRequest) => void,
): WrapperFetcher {
  const headers = viewerHeaders(session.viewer);
  let asked = 0;
  let bytes = 0;
  return async (tagUrl) => {
    const timeoutMs = Math.floor(timeLeft());
    if (timeoutMs < 1) return { ok: false, error: 'timeout', reason: 'was not asked: the time was up', ms: 0 };
    asked += 1;
    if (asked > MOST_WRAPPERS) return 'spent';
    const url = fillMacros(tagUrl, variables);
    const answer = await adServer.send({ url, method: 'GET', headers }, { timeoutMs, maxBytes: LARGEST_WRAPPED });
    tell(requestOf(answer, maskUrl(url), 'The server'));
    if (!answer.ok) return answer;
    bytes += answer.bytes.length;
    if (bytes > MOST_WRAPPED) return 'spent';
    if (answer.bytes.length === 0) return 'empty';
    const { document } = await reader.read(answer);
    // The reason may quote the answer, and the answer may repeat the request.
    return 'reason' in document ? { ...document, reason: maskSecrets(document.reason, secretsOf(url)) } : document;
  };
}

function answerOf(
  request: AdRequestOutcome['request'],
  response: AdRequestOutcome['response'] & {},
  harvest: Resolution,
  mostUrls: number,
): AdRequestOutcome {
  const { errors } = harvest;
  const notes: string[] = [];
  const ads = inPlayingOrder(harvest.found)
    .slice(0, MAX_ADS_PER_RESPONSE)
    .map((found) => ({ ...found, ad: limitAd(found.ad, mostUrls, nameOfAd(found.ad), (text) => notes.push(text)) }));
  const dropped = harvest.dropped.slice(0, MOST_DROPPED);
  const isMore = harvest.found.length > MAX_ADS_PER_RESPONSE;
  const tooMany = isMore
    ? [`${harvest.found.length} ads came back; the first ${MAX_ADS_PER_RESPONSE} were looked at`]
    : [];
  const warnings = [...tooMany, ...notes, ...harvest.warnings].slice(0, MOST_WARNINGS);
  const answer = { request, response, warnings, ads, dropped, errors };
  return ads.length > 0 ? answer : { ...answer, reason: noAds(harvest, response.version) };
}

/** The pod first, counted anew because wrappers may have brought pods of their own. */
function inPlayingOrder(found: readonly FoundAd[]): ResolvedAd[] {
  const pod = found
    .filter(({ isPod }) => isPod)
    .map(({ isPod: _, ...one }, index) => ({ ...one, sequence: index + 1 }));
  return [...pod, ...found.filter(({ isPod }) => !isPod).map(({ isPod: _, ...one }) => one)];
}

function noAds({ dropped }: Resolution, version: string): NoAdsReason {
  const first = dropped[0];
  if (!first) {
    const what = version.startsWith('VMAP') ? 'VMAP of which no linear break holds an ad' : 'VAST that holds no ad';
    return { code: 'NO_ADS', text: `The ad server answered with ${what}.` };
  }
  const text =
    dropped.length === 1
      ? `The only ad that came back was lost: ${first.skip.text}`
      : `All ${dropped.length} ads that came back were lost; the first: ${first.skip.text}`;
  return { code: 'NO_AD_SHOWN', text };
}
