import { describe, expect, test } from 'vitest'
import { MemoryBudget, MemoryReservation } from '../../src/http/memory-budget.ts'

function reservationOf(budget: MemoryBudget, caller: string): MemoryReservation {
  const reservation = new MemoryReservation(budget)
  reservation.caller = caller
  return reservation
}

describe('of 900 bytes, a caller may hold eight times what is left for others', () => {
  test.each([
    { name: 'a caller alone may hold eight ninths', others: 0, own: [800], next: 0, fits: true },
    { name: 'and no byte more', others: 0, own: [], next: 801, fits: false },
    { name: 'however many requests they are', others: 0, own: [300, 300, 200], next: 1, fits: false },
    { name: 'if others hold some, it may hold less', others: 90, own: [], next: 720, fits: true },
    { name: 'and no byte more than that', others: 90, own: [], next: 721, fits: false },
    { name: 'there is something left for the next', others: 800, own: [], next: 88, fits: true },
  ])('$name', ({ others, own, next, fits }) => {
    const budget = new MemoryBudget(900)
    expect(reservationOf(budget, 'another').grow(others)).toBe(true)
    for (const bytes of own) expect(reservationOf(budget, 'one').grow(bytes)).toBe(true)
    expect(reservationOf(budget, 'one').grow(next)).toBe(fits)
  })

  test('what is released can be held again, by anyone', () => {
    const budget = new MemoryBudget(900)
    for (const caller of ['one', 'another', 'one']) {
      const reservation = reservationOf(budget, caller)
      expect(reservation.grow(400)).toBe(true)
      expect(reservation.grow(801)).toBe(false)
      expect(reservation.grow(800)).toBe(true)
      expect(budget.heldBytes).toBe(800)
      reservation.release()
      expect(budget.heldBytes).toBe(0)
    }
  })
})
