// An HLS playlist as the presentation that measuring starts from: its media playlists are read, and of each rendition the
// initialisation section and the first segment are looked at, because CODECS is optional and often wrong.
import { readMedia } from '../../hls/readMedia.ts';
import { isMultivariant, readMultivariant } from '../../hls/readMultivariant.ts';
import type { Variables } from '../../hls/readVariables.ts';
import { codecsOf } from '../measure/codecKind.ts';
import { snapFrameRate } from '../measure/frameRate.ts';
import type { MediaFacts } from '../measure/openedTrack.ts';
import type { TrackOpener } from '../measure/openTrack.ts';
import type { MediaReader } from '../source/mediaReader.ts';
import type { NominalRendition, NominalTrack, Presentation, Refusal } from '../source/presentation.ts';
import { splitParts } from './hlsParts.ts';
import type { HlsSource } from './hlsSources.ts';
import { chooseSources } from './hlsSources.ts';

const MOST_RENDITIONS = 300;

type Loaded = { readonly source: HlsSource; readonly tracks: readonly NominalTrack[]; readonly facts: MediaFacts };
type Left = { readonly source: HlsSource; readonly why: Refusal };

/**
 * @param url where the text was read from, after redirects
 * @returns renditions in the playlist's order: `v0`, `v1` … pictures, `a0` … audio, `t0` … text. BANDWIDTH of a variant
 * stays as it is told: where audio is separate it counts the audio group too (RFC 8216 §4.3.4.2)
 */
export async function readHlsPresentation(
  text: string,
  url: string,
  reader: MediaReader,
  open: TrackOpener,
): Promise<Presentation | Refusal> {
  if (!isMultivariant(text)) {
    const source: HlsSource = { role: 'variant', url, where: nameOf(url), rank: 0 };
    const loaded = await openParts(source, splitText(text, url), open);
    return 'why' in loaded ? refusedThere(loaded) : present(url, [loaded], []);
  }
  const multivariant = readMultivariant(text, url);
  if ('refused' in multivariant) return { ...multivariant, refused: `${nameOf(url)}: ${multivariant.refused}` };
  const { sources, warnings } = chooseSources(multivariant, url);
  if (sources.length > MOST_RENDITIONS) {
    return { refused: `${nameOf(url)}: at most ${MOST_RENDITIONS} renditions are taken, got ${sources.length}` };
  }
  const all = await Promise.all(sources.map((source) => load(source, multivariant.variables, reader, open)));
  const loaded = all.filter((each) => 'tracks' in each);
  const left = all.filter((each) => 'why' in each);
  const said = [...multivariant.warnings, ...warnings];
  const lost = lostKind(loaded, left);
  if (lost !== undefined) return refusedThere(lost);
  if (loaded.every(({ facts }) => facts.kind === 'text')) {
    return {
      code: 'NOTHING_PLAYABLE',
      refused: [`${nameOf(url)}: a variant that can be played is wanted, it has none`, ...said.slice(0, 5)].join('; '),
    };
  }
  for (const { source, why } of left) said.push(`${source.where} is left out: ${why.refused}`);
  return present(url, loaded, said);
}

const refusedThere = ({ source, why }: Left): Refusal => ({ ...why, refused: `${source.where}: ${why.refused}` });

const nameOf = (url: string): string => new URL(url).pathname.split('/').at(-1) || url;

function splitText(text: string, url: string, imports: Variables = new Map()): NominalTrack[] | Refusal {
  const playlist = readMedia(text, { url, imports });
  return 'refused' in playlist ? playlist : splitParts(playlist, url);
}

async function load(
  source: HlsSource,
  variables: Variables,
  reader: MediaReader,
  open: TrackOpener,
): Promise<Loaded | Left> {
  const read = await reader.text(source.url);
  if ('refused' in read) return { source, why: read };
  return openParts(source, splitText(read.text, read.url, variables), open);
}

async function openParts(
  source: HlsSource,
  tracks: NominalTrack[] | Refusal,
  open: TrackOpener,
): Promise<Loaded | Left> {
  if ('refused' in tracks) return { source, why: tracks };
  const [first] = tracks;
  if (source.role === 'text' && first!.init === undefined) {
    return { source, tracks, facts: { kind: 'text', container: 'vtt' } };
  }
  const opened = await open(first!);
  if ('refused' in opened) return { source, why: opened };
  const { facts } = opened;
  if (source.role !== 'variant' && facts.kind !== source.role) {
    const refused = `${source.role} alone is wanted there, its media are ${facts.kind}`;
    return { source, why: { code: 'OTHER_KIND', refused } };
  }
  return { source, tracks, facts };
}

const isPicture = ({ facts }: Loaded): boolean => facts.kind === 'video' || facts.kind === 'muxed';

/** A rendition that can't be had may be missed when others of its kind remain; text always may. */
function lostKind(loaded: readonly Loaded[], left: readonly Left[]): Left | undefined {
  const lost = (role: HlsSource['role']) => left.filter(({ source }) => source.role === role);
  const mayBePicture = ({ source }: Left): boolean =>
    source.codecs === undefined || source.width !== undefined || codecsOf('video', source.codecs) !== undefined;
  if (!loaded.some(({ source }) => source.role === 'variant')) return lost('variant')[0];
  if (!loaded.some(isPicture)) return lost('variant').find(mayBePicture);
  return loaded.some(({ facts }) => facts.kind === 'audio' || facts.kind === 'muxed') ? undefined : lost('audio')[0];
}

/** Chooses among what was loaded and gives it ids. */
function present(url: string, loaded: readonly Loaded[], warnings: readonly string[]): Presentation {
  const pictures = loaded.filter(isPicture);
  const hasSound =
    pictures.some(({ facts }) => facts.kind === 'muxed') || loaded.some(({ source }) => source.role === 'audio');
  // A variant of audio alone is for lines too poor for pictures; a channel's ladder has no rung for it.
  const isRescue = ({ source, facts }: Loaded): boolean =>
    pictures.length > 0 && hasSound && source.role === 'variant' && facts.kind === 'audio';
  const said = [...warnings];
  for (const { source } of loaded.filter(isRescue))
    said.push(`${source.where} is left out: it is audio alone, others have pictures`);
  // A channel has its sound inside its pictures or beside them: what is beside them here would never be played.
  const isInside = pictures.length > 0 && pictures.every(({ facts }) => facts.kind === 'muxed');
  const isBeside = ({ facts }: Loaded): boolean => facts.kind === 'audio' && isInside;
  for (const each of loaded.filter((each) => isBeside(each) && !isRescue(each)))
    said.push(
      `${each.source.where} is left out: the pictures have their sound inside, and it is not played beside that`,
    );
  const heard = loaded.filter((each) => each.facts.kind === 'audio' && !isRescue(each) && !isBeside(each));
  const sounds = oneForEachVoice(heard);
  const texts = loaded.filter(({ facts }) => facts.kind === 'text');
  const named = (list: readonly Loaded[], letter: string) => list.map((each, i) => renditionOf(each, `${letter}${i}`));
  const renditions = [...named(pictures, 'v'), ...named(sounds, 'a'), ...named(texts, 't')];
  return { url, partCount: renditions[0]!.tracks.length, renditions, warnings: said };
}

/** Groups that differ in bit rate alone hold the same voices again: of each voice the one that the best variant plays. */
function oneForEachVoice(sounds: readonly Loaded[]): Loaded[] {
  const best = new Map<string, Loaded>();
  for (const sound of sounds) {
    const { source, facts } = sound;
    const channels = source.channels ?? facts.channels ?? 2;
    const codec = facts.audioCodec?.split('.')[0];
    const voice = [
      source.language,
      source.name,
      source.characteristics,
      channels,
      codec,
      source.role === 'variant' && source.url,
    ];
    const key = JSON.stringify(voice);
    const known = best.get(key);
    if (known === undefined || source.rank > known.source.rank) best.set(key, sound);
  }
  return [...best.values()];
}

function renditionOf({ source, tracks, facts }: Loaded, id: string): NominalRendition {
  const { role: _role, url: _url, rank: _rank, codecs = [], frameRate, language, ...said } = source;
  const told = codecsOf(facts.kind, codecs);
  const rate = frameRate === undefined || facts.kind === 'audio' ? undefined : snapFrameRate(frameRate);
  return {
    ...said,
    id,
    kind: facts.kind,
    container: facts.container,
    ...(told && { codecs: told }),
    ...(rate && { frameRate: rate }),
    ...(language && { language }),
    tracks,
  };
}
