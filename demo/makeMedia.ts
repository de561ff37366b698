// Makes demo/media: three films with their manifests, four advertisements, and two of those packaged for machines without
// ffmpeg. Run by hand (`npm run demo:media`, or with names to make only these) when a picture or the recipe of
// conditioning has changed; needs ffmpeg with libx264 and the DejaVu fonts. What it makes is committed.
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cutFilm } from './making/cutFilm.ts';
import { encodeFilm, encodeSpot } from './making/encode.ts';
import { hills } from './making/hills.ts';
import { orbits } from './making/orbits.ts';
import { makePackagedAds } from './making/packagedAds.ts';
import { spots } from './making/spots.ts';
import { tide } from './making/tide.ts';
import { writeManifests } from './making/writeManifests.ts';

const media = join(import.meta.dirname, 'media');
const wanted = process.argv.slice(2);
const isWanted = (name: string): boolean => wanted.length === 0 || wanted.includes(name);

for (const film of [tide, orbits, hills].filter(({ name }) => isWanted(name))) {
  const making = join(tmpdir(), `midroll-film-${film.name}`);
  const folder = join(media, film.name);
  await rm(folder, { recursive: true, force: true });
  await encodeFilm(film, making);
  await writeManifests(await cutFilm(film, making, folder), folder);
  await rm(making, { recursive: true });
  console.log(`${film.name} made`);
}

await mkdir(join(media, 'spots'), { recursive: true });
for (const spot of spots.filter(({ name }) => isWanted(name))) {
  await encodeSpot(spot, join(media, 'spots', `${spot.name}.mp4`));
  console.log(`${spot.name} made`);
}

if (isWanted('packaged')) {
  await makePackagedAds();
  console.log('packaged made');
}
