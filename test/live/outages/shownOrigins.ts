// SPDX-License-Identifier: Apache-2.0
// What tests of backup origins share: which origin viewers were shown, and what the API states about it.
import { expect } from 'vitest';
import { isOurs } from '../../laws/readBack.ts';
import { segmentsOf } from '../liveStage.ts';
import type { ApiResponse } from '../midroll.ts';
import type { LiveOrigin } from '../origin/liveOrigin.ts';
import type { Stage } from '../stage.ts';
import type { Viewer, Watching } from '../viewer.ts';

export type Format = 'hls' | 'dash';

export const dies = (origin: LiveOrigin) => origin.fail(() => ({ does: 'respond', status: 503 }));

export const urlOf = ({ hlsUrl, dashUrl }: LiveOrigin, format: Format): string => (format === 'hls' ? hlsUrl : dashUrl);

export const healthOf = async ({ midroll }: Stage, id: string, format: Format) =>
  (await midroll.api('GET', `/channels/${id}`)).json.live[format].health;

/** The channel once something holds of it, or as it is a minute later: it is planned in the background. */
export async function channelWhen(
  { midroll, clock }: Stage,
  id: string,
  holds: (channel: ApiResponse['json']) => boolean,
) {
  const deadline = clock.now() + 60_000;
  for (;;) {
    const { json } = await midroll.api('GET', `/channels/${id}`);
    if (holds(json) || clock.now() > deadline) return json;
    await clock.sleep(250);
  }
}

/** Watches in one format, through outages of the origins. */
export const watchIn = (stage: Stage, id: string, format: Format, how: Partial<Watching> = {}): Promise<Viewer> =>
  stage.watch(id, {
    ...(format === 'hls' ? { dash: false } : { opens: 'dash', hls: false }),
    ...{ fetches: 'ours', isTimed: false, ...how },
  });

/** Which origins the first rung has listed, without repetitions: their names, or `slate`. */
export function shownOrigins(viewer: Viewer, origins: Readonly<Record<string, LiveOrigin>>): string[] {
  const names = segmentsOf(viewer, viewer.rungs[0]!).map(({ uri }) => {
    if (isOurs(uri)) return 'slate';
    return Object.entries(origins).find(([, { url }]) => uri.startsWith(url))?.[0] ?? uri;
  });
  return names.filter((name, index) => name !== names[index - 1]);
}

/** The changes of the origins of a channel, oldest first. */
export async function originEvents({ midroll }: Stage, id: string) {
  const { json } = await midroll.api('GET', `/channels/${id}/origin-events?limit=100`);
  return json.items.reverse() as {
    readonly state: string;
    readonly onAir: string;
    readonly url?: string;
    readonly reason?: string;
  }[];
}

/** All origins of these tests number one programme alike. */
export function expectNothingTwice(viewer: Viewer): void {
  for (const rung of viewer.rungs) {
    const paths = segmentsOf(viewer, rung).flatMap(({ uri }) => (isOurs(uri) ? [] : [new URL(uri).pathname]));
    expect(paths.filter((path, index) => paths.indexOf(path) !== index)).toEqual([]);
  }
}
