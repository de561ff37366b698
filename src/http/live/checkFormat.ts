// SPDX-License-Identifier: Apache-2.0
import { AppError } from '../../errors.ts';
import type { Session } from '../../sessions/session.ts';
import { refuseFormat, type Servable } from '../../timeline/ladder/formatFault.ts';

/**
 * @param shown a channel on air, or a title
 * @throws {AppError} CONFLICT if it cannot be played in this format
 */
export function checkFormat(shown: Servable, format: Session['format']): void {
  const refused = refuseFormat(shown, format);
  if (refused !== undefined) throw new AppError('CONFLICT', refused);
}
