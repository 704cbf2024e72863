// Run in a page: the parts of the output of the program, each with its colour and the contrast of that to the ground.
;(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  const brightness = (colour) => {
    canvas.fillStyle = colour
    canvas.fillRect(0, 0, 1, 1)
    const [red, green, blue] = [...canvas.getImageData(0, 0, 1, 1).data]
      .map((each) => each / 255)
      .map((each) => (each <= 0.03928 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const session = document.querySelector('.session')
  const ground = brightness(getComputedStyle(session).backgroundColor)
  return [...session.querySelectorAll('span')].map((span) => {
    const { color } = getComputedStyle(span)
    const ink = brightness(color)
    return { text: span.textContent, color, contrast: (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05) }
  })
})()
