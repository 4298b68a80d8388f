// Before the first paint: parts that need scripts may show themselves.
document.documentElement.classList.add("js");
