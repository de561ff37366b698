// SPDX-License-Identifier: Apache-2.0
// Whether somebody has taken over an alert. It was fired again since, if the acknowledgement is about another one.
import type { StoredAlert } from './ports.ts';

export const acknowledgementOf = (alert: StoredAlert | undefined) =>
  alert?.event !== undefined && alert.acknowledged?.alert === alert.event.id ? alert.acknowledged : undefined;

export const isAcknowledged = (alert: StoredAlert | undefined): boolean => acknowledgementOf(alert) !== undefined;
