// SPDX-License-Identifier: Apache-2.0
// Small synthetic voices, each a function of time: notes in semitones from A4 (440 Hz).

export type Chord = readonly number[];

const pitch = (semitones: number): number => 440 * 2 ** (semitones / 12);
const tone = (semitones: number, seconds: number): number => Math.sin(2 * Math.PI * pitch(semitones) * seconds);

/** Slow chords that swell into each other, `length` seconds each. */
export function pad(chords: readonly Chord[], length: number, seconds: number): number {
  const index = Math.floor(seconds / length);
  const place = seconds / length - index;
  const swell = Math.sin(Math.PI * place) ** 0.7;
  const chord = chords[index % chords.length]!;
  const voices = chord.map(
    (note) => tone(note, seconds) + 0.3 * tone(note + 12.06, seconds) + 0.4 * tone(note - 12, seconds),
  );
  return (swell * voices.reduce((sum, voice) => sum + voice, 0)) / (chord.length * 1.7);
}

/** One plucked note after another, `length` seconds each; null is a rest. */
export function pluck(notes: readonly (number | null)[], length: number, seconds: number): number {
  const index = Math.floor(seconds / length);
  const note = notes[index % notes.length];
  if (note === null || note === undefined) return 0;
  const since = seconds - index * length;
  const fade = Math.exp(-since * 6) * Math.min(1, since * 200) * Math.min(1, (length - since) * 200);
  return fade * (tone(note, seconds) + 0.5 * tone(note + 12, seconds) + 0.2 * tone(note + 19, seconds)) * 0.6;
}

/** Noise that is the same in every run. */
export const noise = (sample: number): number => {
  const x = Math.sin(sample * 12.9898) * 43758.5453;
  return 2 * (x - Math.floor(x)) - 1;
};

/** Fades a sound in at its start and out at its end. */
export const ends = (seconds: number, total: number): number =>
  Math.min(1, seconds * 4, Math.max(0, (total - seconds) * 4));
