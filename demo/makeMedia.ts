// SPDX-License-Identifier: Apache-2.0
// Creates demo/media: three videos with their manifests, four ads, and two of those ads conditioned for machines without
// ffmpeg. Run `npm run demo:media`, with names to create only these, after a change to a picture or to conditioning. It needs
// ffmpeg with libx264 and the DejaVu fonts. The files are committed.
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cutVideo } from './making/cutVideo.ts';
import { encodeSpot, encodeVideo } from './making/encode.ts';
import { hills } from './making/hills.ts';
import { orbits } from './making/orbits.ts';
import { makePackagedAds } from './making/packagedAds.ts';
import { spots } from './making/spots.ts';
import { tide } from './making/tide.ts';
import { writeManifests } from './making/writeManifests.ts';

const media = join(import.meta.dirname, 'media');
const names = process.argv.slice(2);
const isSelected = (name: string): boolean => names.length === 0 || names.includes(name);

for (const video of [tide, orbits, hills].filter(({ name }) => isSelected(name))) {
  const workFolder = join(tmpdir(), `midroll-video-${video.name}`);
  const folder = join(media, video.name);
  await rm(folder, { recursive: true, force: true });
  await encodeVideo(video, workFolder);
  await writeManifests(await cutVideo(video, workFolder, folder), folder);
  await rm(workFolder, { recursive: true });
  console.log(`${video.name} created`);
}

await mkdir(join(media, 'spots'), { recursive: true });
for (const spot of spots.filter(({ name }) => isSelected(name))) {
  await encodeSpot(spot, join(media, 'spots', `${spot.name}.mp4`));
  console.log(`${spot.name} created`);
}

if (isSelected('packaged')) {
  await makePackagedAds();
  console.log('packaged created');
}
