// Puts the widget's frame in the place of the script that names it; sizes come from the server.
;(function () {
  var script = document.currentScript
  var sizes = __SIZES__
  if (!script || !script.dataset || !/^[0-9a-f-]{36}$/i.test(script.dataset.server || '')) return
  var options = script.dataset
  var format = Object.prototype.hasOwnProperty.call(sizes, options.format) ? options.format : 'button'
  var size = Object.prototype.hasOwnProperty.call(sizes[format], options.size) ? options.size : 'medium'
  var query = ['format=' + format, 'size=' + size]
  ;['theme', 'lang', 'votes', 'rounded', 'animation', 'nickname'].forEach(function (name) {
    if (options[name]) query.push(name + '=' + encodeURIComponent(options[name]))
  })
  var frame = document.createElement('iframe')
  frame.src = new URL(script.src).origin + '/widget/' + options.server + '?' + query.join('&')
  frame.width = sizes[format][size][0]
  frame.height = sizes[format][size][1]
  frame.title = options.title || 'Palmarès'
  frame.loading = 'lazy'
  frame.style.border = '0'
  frame.style.maxWidth = '100%'
  // With another colour scheme than the page in it, the frame would get an opaque background.
  frame.style.colorScheme = 'light'
  script.parentNode.insertBefore(frame, script)
})()
