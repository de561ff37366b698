// SPDX-License-Identifier: Apache-2.0
// What a guided viewer requests for a break: its asset list or List MPD, and the manifests of the clips that these name. A break is
// decided when its list is requested first. Segments of ads have the URLs that stitched manifests have, and count as delivered.

import { stitchedAds } from '../../../ads/record/breakRecord.ts';
import { callbackStream, writeListMpd, writeSinglePeriod } from '../../../dash/write/alternatives.ts';
import { AppError } from '../../../errors.ts';
import { LONGER_MICROS } from '../../../hls/interstitials.ts';
import { writeMultivariant } from '../../../hls/writeMultivariant.ts';
import { rebased, writeVodMedia } from '../../../hls/writeVodMedia.ts';
import { playerBreaksOf } from '../../../playback/decide/playerBreaks.ts';
import { type Asset, assetsOf, longestOf } from '../../../playback/guided/assets.ts';
import {
  deadlineOfRequest,
  filmPodOf,
  podOf,
  prerollOf,
  requestedBreak,
} from '../../../playback/guided/guidedBreaks.ts';
import type { DecideBy } from '../../../playback/view/view.ts';
import type { OnAirViewing, Viewing } from '../../../playback/viewings.ts';
import type { Session } from '../../../sessions/session.ts';
import type { Ladder } from '../../../timeline/ladder/ladder.ts';
import type { Span } from '../../../timeline/programme/span.ts';
import { type ListedAsset, playerEvents, writeAssetList } from '../../../tracking/feed/assetList.ts';
import { rungAt } from '../manifests/manifestRoutes.ts';
import { manifestOf, type PlayerDeps, type PlayerRequest, sessionIn } from '../playerRequest.ts';
import { MPD, MPEGURL, replyJson } from '../reply.ts';
import { replyManifest } from '../response/replyManifest.ts';

type Place = { readonly channelId: string; readonly sessionId: string };

/** The assets of a decided break, in playing order: bumpers, ads, and slate. */
type Pod = { readonly viewing: Viewing; readonly breakId: string; readonly assets: readonly Asset[] };

const notFound = (breakId: string) =>
  new AppError('NOT_FOUND', `Break "${breakId}" not found in this session. Read the manifest again.`);

const ladderOf = (viewing: Viewing): Ladder =>
  viewing.kind === 'film' ? viewing.viewer.title.ladder : viewing.airing.ladder;

/** `<break>-<index>` */
const ASSET = /^(\d+-\d+)-(\d{1,3})$/;

export type GuidedBreaks = ReturnType<typeof createGuidedBreaks>;

type GuidedDeps = PlayerDeps & { readonly decideBy: DecideBy };

export function createGuidedBreaks(deps: GuidedDeps) {
  const { viewings, decideBy, now } = deps;
  const playerBreaks = playerBreaksOf(deps.sessions).read;

  async function find({ channelId, sessionId }: Place): Promise<Viewing> {
    const viewing = await viewings.find(channelId, sessionId, now());
    if (viewing === undefined) return viewings.reject(channelId, sessionId);
    if (!(await deps.viewers.watch(viewing.viewer, now()))) return viewings.reject(channelId, sessionId);
    deps.presence.note(viewing.viewer.session, now());
    return viewing;
  }

  /** Decides the break if that is still to be done. */
  async function decided(place: Place, viewing: OnAirViewing, breakId: string): Promise<readonly Span[]> {
    const { airing, viewer } = viewing;
    const known = podOf(viewing.airing, viewing.viewer, breakId);
    if (known !== undefined) return known;
    const own = requestedBreak(airing, viewer.session, breakId, now());
    // A viewer who joins during a break has no ads before it.
    if (own === undefined && breakId === prerollOf(airing)?.id) return [];
    if (own === undefined) throw notFound(breakId);
    await decideBy(airing, viewer, own, deadlineOfRequest(airing.channel, own, now()));
    const placed = await viewings.find(place.channelId, place.sessionId, now());
    const found =
      placed === undefined || placed.kind === 'film' ? undefined : podOf(placed.airing, placed.viewer, breakId);
    if (found === undefined) throw notFound(breakId);
    return found;
  }

  /**
   * The clips of a break whose list was requested, maybe at another node just now.
   * @throws {AppError} UNAVAILABLE if the store is
   */
  async function listedPod({ airing, viewer }: OnAirViewing, breakId: string): Promise<readonly Span[] | undefined> {
    const known = podOf(airing, viewer, breakId);
    if (known !== undefined) return known;
    await deps.viewers.reload(airing, viewer, now());
    return podOf(airing, viewer, breakId);
  }

  async function filmClips(viewing: Extract<Viewing, { kind: 'film' }>, breakId: string): Promise<readonly Span[]> {
    const presentation = await deps.vod.presentations.settled(viewing.channel, viewing.viewer);
    return filmPodOf(viewing.viewer.clips, presentation, breakId);
  }

  async function requestedPod(place: Place, breakId: string): Promise<Pod> {
    const viewing = await find(place);
    const clips = viewing.kind === 'film' ? await filmClips(viewing, breakId) : await decided(place, viewing, breakId);
    return { viewing, breakId, assets: assetsOf(clips) };
  }

  async function recordsOf({ viewing: { viewer }, breakId }: Pod) {
    const { session } = viewer;
    const [record] = await playerBreaks({ session, decisions: [{ breakId, startsAt: 0 }] });
    return record === undefined ? [] : stitchedAds(record);
  }

  async function listedAssets(pod: Pod, urlOf: (asset: string) => string): Promise<readonly ListedAsset[]> {
    const ads = await recordsOf(pod);
    const listed = ({ adId, placed: { clip } }: Span) => ({
      duration: clip.duration,
      ad: ads.find((one) => one.adId === adId),
    });
    return pod.assets.map((asset, index) => ({ url: urlOf(`${pod.breakId}-${index}`), clips: asset.map(listed) }));
  }

  const baseOf = (format: Session['format'], { channelId, sessionId }: Place, { request }: PlayerRequest): string =>
    `${deps.liveUrl(request)}/${format}/${encodeURIComponent(channelId)}/${encodeURIComponent(sessionId)}/pods/`;

  /** @throws {AppError} NOT_FOUND */
  async function assetOf(place: Place, id: string): Promise<{ pod: Pod; asset: Asset }> {
    const [, breakId, index] = ASSET.exec(id) ?? [];
    const missing = new AppError('NOT_FOUND', `Asset "${id}" not found in this session. Read the asset list again.`);
    if (breakId === undefined) throw missing;
    const viewing = await find(place);
    const clips = viewing.kind === 'film' ? await filmClips(viewing, breakId) : await listedPod(viewing, breakId);
    const assets = assetsOf(clips ?? []);
    const asset = assets[Number(index)];
    if (asset === undefined) throw missing;
    return { pod: { viewing, breakId, assets }, asset };
  }

  async function eventsOf(pod: Pod, { adId }: Span): Promise<string> {
    if (pod.viewing.channel.tracking !== 'client' || adId === undefined) return '';
    const ad = (await recordsOf(pod)).find((one) => one.adId === adId);
    return ad === undefined ? '' : callbackStream(playerEvents(ad, 'client'));
  }

  return {
    /** GET /hls/:channelId/:sessionId/breaks/:breakId.json */
    async assetList(place: Place, breakId: string, incoming: PlayerRequest): Promise<void> {
      incoming.manifest = manifestOf(place.channelId, 'hls');
      const pod = await requestedPod(place, breakId);
      const { channel, kind } = pod.viewing;
      incoming.manifest.channel = channel;
      const base = baseOf('hls', place, incoming);
      const assets = await listedAssets(pod, (asset) => `${base}${asset}.m3u8`);
      const joinedAt = Number(incoming.query.get('_HLS_start_offset') ?? 0);
      const list = writeAssetList(assets, { tracking: channel.tracking, canSkip: kind === 'film', joinedAt });
      replyJson(incoming.request, incoming.response, 200, list);
    },
    /** GET /dash/:channelId/breaks/:breakId.mpd?sid= */
    async listMpd(channelId: string, breakId: string, incoming: PlayerRequest): Promise<void> {
      incoming.manifest = manifestOf(channelId, 'dash');
      const place = { channelId, sessionId: sessionIn(incoming) };
      const pod = await requestedPod(place, breakId);
      incoming.manifest.channel = pod.viewing.channel;
      const base = baseOf('dash', place, incoming);
      const listed = pod.assets.map((asset, index) => {
        const id = `${breakId}-${index}`;
        return { id, duration: longestOf(asset).placed.clip.duration, url: `${base}${id}.mpd` };
      });
      replyManifest(incoming.request, incoming.response, MPD, writeListMpd(listed), { encoding: 'utf8' });
    },
    /** GET /hls/:channelId/:sessionId/pods/:asset.m3u8 */
    async clipMultivariant(place: Place, id: string, { request, response }: PlayerRequest): Promise<void> {
      const { pod } = await assetOf(place, id);
      replyManifest(request, response, MPEGURL, writeMultivariant(ladderOf(pod.viewing), `${id}/`), {
        encoding: 'utf8',
      });
    },
    /** GET /hls/:channelId/:sessionId/pods/:asset/:rung.m3u8 */
    async clipMedia(place: Place, id: string, rungId: string, { request, response }: PlayerRequest): Promise<void> {
      const { pod, asset } = await assetOf(place, id);
      const ladder = ladderOf(pod.viewing);
      const isLast = pod.viewing.kind !== 'film' && asset === pod.assets.at(-1);
      const options = { announces: false, longer: isLast ? LONGER_MICROS : 0 };
      const text = writeVodMedia(asset, rungAt(ladder, rungId, 'channel'), ladder, options);
      replyManifest(request, response, MPEGURL, rebased(text, '../../'));
    },
    /** GET /dash/:channelId/:sessionId/pods/:asset.mpd */
    async clipMpd(place: Place, id: string, { request, response }: PlayerRequest): Promise<void> {
      const { pod, asset } = await assetOf(place, id);
      const clip = longestOf(asset);
      const events = await eventsOf(pod, clip);
      const text = writeSinglePeriod(clip, { ladder: ladderOf(pod.viewing), baseUrl: '../', events });
      replyManifest(request, response, MPD, text, { encoding: 'utf8' });
    },
  };
}
