print("stressmon")
