// SPDX-License-Identifier: Apache-2.0
/** Microseconds as decimal seconds without trailing zeros: 2002000 → 2.002, 6000000 → 6.0. */
export function decimalSeconds(micros: number): string {
  const whole = Math.floor(micros / 1_000_000);
  const rest = micros - whole * 1_000_000;
  return rest === 0 ? `${whole}.0` : `${whole}.${String(rest).padStart(6, '0').replace(/0+$/, '')}`;
}
