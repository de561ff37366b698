// SPDX-License-Identifier: Apache-2.0
// Ads whose pictures show which ad they are, by colour, and which second of it, by brightness (test/browser/page/pictures.js).
import type { Ad, AdHost } from '../../live/adHost.ts';
import type { MediaOrigin } from '../../live/mediaOrigin.ts';
import { encodeOnce } from '../../media/encodeOnce.ts';

/** Blue and red of YCbCr. */
const colours = { amber: [98, 158], rose: [158, 158], green: [98, 98] } as const;

export type Colour = keyof typeof colours;

/** @param lengths in seconds, at most ten, in playing order. Their beacons reach `/beacon`. */
export function colouredAds(
  { origin, adHost }: { readonly origin: MediaOrigin; readonly adHost: AdHost },
  lengths: Readonly<Partial<Record<Colour, number>>>,
): Promise<Ad[]> {
  adHost.on('/beacon', (response) => void response.writeHead(204).end());
  const tracking = `${adHost.url}/beacon?event=[EVENT]`;
  return Promise.all(
    Object.entries(lengths).map(async ([id, seconds], index) => {
      const [blue, red] = colours[id as Colour];
      const picture = `nullsrc=s=160x90:r=25:d=${seconds},geq=lum=75+10*T:cb=${blue}:cr=${red},format=yuv420p`;
      await encodeOnce(origin.folder, [
        ...['-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', `sine=f=660:r=48000:d=${seconds}`],
        ...['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac', '-movflags', '+faststart', `${id}.mp4`],
      ]);
      return { id, seconds, url: `${origin.url}/${id}.mp4`, sequence: index + 1, tracking };
    }),
  );
}
