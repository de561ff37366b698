// SPDX-License-Identifier: Apache-2.0
/** ITU-T H.264 table A-1: level, macroblocks per second, macroblocks per frame, kbit/s of the Baseline and Main profile. */
const LEVELS: readonly (readonly [number, number, number, number])[] = [
  [10, 1485, 99, 64],
  [11, 3000, 396, 192],
  [12, 6000, 396, 384],
  [13, 11_880, 396, 768],
  [20, 11_880, 396, 2000],
  [21, 19_800, 792, 4000],
  [22, 20_250, 1620, 4000],
  [30, 40_500, 1620, 10_000],
  [31, 108_000, 3600, 14_000],
  [32, 216_000, 5120, 20_000],
  [40, 245_760, 8192, 20_000],
  [41, 245_760, 8192, 50_000],
  [42, 522_240, 8704, 50_000],
  [50, 589_824, 22_080, 135_000],
  [51, 983_040, 36_864, 240_000],
  [52, 2_073_600, 36_864, 240_000],
  [60, 4_177_920, 139_264, 240_000],
];

/** The level to encode at: the declared one, or a higher one if size, frame rate or bit rate need it. For example `3.1`. */
export function h264Level(video: {
  readonly width: number;
  readonly height: number;
  readonly framesPerSecond: number;
  readonly kbps: number;
  /** level_idc, for example 31. NaN if the codec string does not state it. */
  readonly declaredLevel: number;
}): string {
  const macroblocks = Math.ceil(video.width / 16) * Math.ceil(video.height / 16);
  const peak = video.kbps * 1.1;
  const fits = ([level, perSecond, perFrame, kbps]: (typeof LEVELS)[number]): boolean =>
    !(level < video.declaredLevel) &&
    macroblocks <= perFrame &&
    macroblocks * video.framesPerSecond <= perSecond &&
    peak <= kbps;
  const level = (LEVELS.find(fits) ?? LEVELS[LEVELS.length - 1]!)[0];
  return `${Math.floor(level / 10)}.${level % 10}`;
}
