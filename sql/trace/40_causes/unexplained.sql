/* cause
meaning = "nothing in this trace explains it"
color = "#3a3738"
color_dark = "#eeeaeb"
remove = false
*/
