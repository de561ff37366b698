// SPDX-License-Identifier: Apache-2.0
/**
 * The built-in slate as an ffmpeg filter source: one picture, a dark blue gradient with a soft light. It has no text, so it
 * needs no fonts and no translation. A grain of one step prevents banding in its gradients.
 */
export function slateCard(width: number, height: number): string {
  const glow = 'exp(-(pow((X/W-0.7)/0.42,2)+pow((Y/H-0.34)/0.5,2)))';
  const floor = 'exp(-(pow((X/W-0.25)/0.7,2)+pow((Y/H-1.05)/0.28,2)))';
  const channel = (dark: number, lift: number, light: number): string =>
    `'${dark}+${lift}*Y/H+${light}*${glow}+${Math.round(light / 3)}*${floor}+random(0)*1.6'`;
  const picture = `geq=r=${channel(9, 8, 34)}:g=${channel(13, 12, 52)}:b=${channel(26, 24, 96)}`;
  return `nullsrc=s=${width}x${height}:r=25:d=0.04,format=gbrp,${picture}`;
}
