// Which of an ad's own renditions may stand in a rung: same decoder, same grid of frames, a picture of its shape that is
// no larger, and no more bits than the channel promises for the rung.
import type { FrameRate } from '../../time/units.ts';
import type { Rendition } from '../../timeline/asset.ts';
import { AD_PEAK } from '../../timeline/declaredRungs.ts';
import type { Rung } from '../../timeline/ladder.ts';

/** Shapes of picture may differ by rounding to even numbers. */
const SAME_SHAPE = 0.02;
/** A picture less than half as high as its rung would be seen to be. */
const LEAST_HEIGHT = 0.5;

/** @returns the best rendition that a player of the rung can play at the rung's cost, or why there is none */
export function matchRung(rung: Rung, renditions: readonly Rendition[], rate: FrameRate): Rendition | string {
  const ofKind = renditions.filter(({ kind }) => kind === rung.kind);
  const misfit = rung.kind === 'audio' ? soundMisfit : pictureMisfit;
  const fitting = ofKind.filter((rendition) => misfit(rendition, rung, rate) === undefined);
  const [best] = rung.kind === 'audio' ? fitting.sort(bySound(rung)) : fitting.sort(byPicture);
  if (best !== undefined) return best;
  const nearest = ofKind.sort((a, b) => sizeApart(a, rung) - sizeApart(b, rung))[0];
  return nearest === undefined ? `it has no ${rung.kind}` : misfit(nearest, rung, rate)!;
}

const sizeApart = ({ height = 0 }: Rendition, rung: Rung): number => Math.abs(height - (rung.height ?? 0));
const byPicture = (a: Rendition, b: Rendition): number =>
  (b.height ?? 0) - (a.height ?? 0) || b.bandwidth - a.bandwidth;
const bySound =
  ({ language = 'und' }: Rung) =>
  (a: Rendition, b: Rendition): number => {
    const rank = (one: Rendition): number => (one.language === language ? 0 : one.isDefault ? 1 : 2);
    return rank(a) - rank(b) || b.bandwidth - a.bandwidth;
  };

const rateText = ({ n, d }: FrameRate): string => (d === 1 ? `${n}` : `${n}/${d}`);

function pictureMisfit(rendition: Rendition, rung: Rung, rate: FrameRate): string | undefined {
  const { codecs, frameRate, width = 0, height = 0 } = rendition;
  if (frameRate === undefined) return 'its frames do not last alike';
  if (frameRate.n * rate.d !== rate.n * frameRate.d) {
    return `the channel has ${rateText(rate)} frames a second, it has ${rateText(frameRate)}`;
  }
  if (!playsOn(codecs, rung.codecs))
    return `a decoder of ${rung.codecs} is what players have set up, it needs ${codecs}`;
  const [wantedWidth, wantedHeight] = [rung.width ?? width, rung.height ?? height];
  const size = `${width}×${height} for ${wantedWidth}×${wantedHeight}`;
  if (Math.abs((width * wantedHeight) / (height * wantedWidth) - 1) > SAME_SHAPE || height === 0) {
    return `its picture has another shape (${size})`;
  }
  if (height > wantedHeight) return `its picture is larger than the rung's (${size})`;
  if (height < LEAST_HEIGHT * wantedHeight) return `its picture is too small (${size})`;
  return costMisfit(rendition, rung);
}

function soundMisfit(rendition: Rendition, rung: Rung): string | undefined {
  const { codecs, sampleRate, channels = 2 } = rendition;
  if (codecs.toLowerCase() !== rung.codecs.toLowerCase()) return `${rung.codecs} is wanted, it has ${codecs}`;
  if (sampleRate !== (rung.sampleRate ?? 48_000)) {
    return `${rung.sampleRate ?? 48_000} samples a second are wanted, it has ${sampleRate}`;
  }
  if (channels !== (rung.channels ?? 2)) return `${rung.channels ?? 2} audio channels are wanted, it has ${channels}`;
  return costMisfit(rendition, rung);
}

/** What the multivariant playlist promises of a rung holds for its ads too (RFC 8216 §4.3.4.2, BANDWIDTH). */
function costMisfit({ bandwidth }: Rendition, rung: Rung): string | undefined {
  const promised = Math.max(rung.bandwidth, rung.averageBandwidth * AD_PEAK);
  const kbits = (value: number): string => `${Math.ceil(value / 1000)} kbit/s`;
  return bandwidth > promised ? `it takes ${kbits(bandwidth)}, the rung promises ${kbits(promised)}` : undefined;
}

const PROFILES = ['42', '4d', '64'];

/** H.264 of the same or a lower profile and level (RFC 6381 §3.3); of other codecs only the very same. */
function playsOn(codec: string, wanted: string): boolean {
  const [own, rungs] = [codec, wanted].map((each) => /^avc[13]\.([0-9a-f]{2})[0-9a-f]{2}([0-9a-f]{2})$/i.exec(each));
  if (!own || !rungs) return codec.toLowerCase() === wanted.toLowerCase();
  const rank = (profile: string): number => PROFILES.indexOf(profile.toLowerCase());
  const isKnown = rank(own[1]!) >= 0 && rank(rungs[1]!) >= 0;
  const isLower = isKnown ? rank(own[1]!) <= rank(rungs[1]!) : own[1] === rungs[1];
  return (
    codec.slice(0, 4) === wanted.slice(0, 4) &&
    isLower &&
    Number.parseInt(own[2]!, 16) <= Number.parseInt(rungs[2]!, 16)
  );
}
