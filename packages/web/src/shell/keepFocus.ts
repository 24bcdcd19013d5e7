/** Parts of a page that screen readers announce when they get the focus. */
const REGIONS = 'dialog, [role=tabpanel], section, form, main'

/**
 * Keeps the focus near when the control that has it disappears or is disabled, often because it was pressed: the
 * innermost region around it that is left gets the focus. Otherwise keyboard users would leave an open dialog, and
 * screen readers would start again at the top of the page.
 */
export function keepFocus(): void {
  let focused: Element | undefined
  let regions: readonly HTMLElement[] = []

  addEventListener('focusin', ({ target }) => {
    if (!(target instanceof Element)) return
    focused = target
    regions = regionsAround(target)
  })
  // A click on nothing takes the focus away on purpose.
  addEventListener('pointerdown', () => {
    focused = undefined
  })

  new MutationObserver(() => {
    const { activeElement, body } = document
    if (!focused || (activeElement !== body && activeElement !== focused)) return
    if (focused.isConnected && !focused.matches(':disabled')) return
    const region = regions.find((each) => each !== focused && each.isConnected)
    if (region) focusRegion(region)
  }).observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled'] })
}

/** From the inside out. */
function regionsAround(element: Element): HTMLElement[] {
  const region = element.closest<HTMLElement>(REGIONS)
  return region ? [region, ...(region.parentElement ? regionsAround(region.parentElement) : [])] : []
}

function focusRegion(region: HTMLElement): void {
  if (!region.hasAttribute('tabindex')) {
    region.tabIndex = -1
    region.addEventListener('blur', () => region.removeAttribute('tabindex'), { once: true })
  }
  region.focus({ preventScroll: true })
}
